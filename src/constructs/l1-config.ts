/** From what a user declares in L2 to the configuration of an L1 construct. */
import { Token } from "cdktf";
import type { Construct } from "constructs";
import { LiteralSecret } from "../errors";
import { NULLABLE, SECRETS } from "./generated/l2/declared";
import { escapedText } from "./escaped-text";
import { Secret } from "./secret";

type Kind = keyof typeof NULLABLE;

/**
 * Texts are escaped, a null becomes a path in `unset`, a `Secret` becomes a write-only value and its version.
 *
 * @param user construct that the configuration is for
 * @throws LiteralSecret
 */
export function l1Config(kind: Kind, declared: object, user: Construct): Record<string, unknown> {
  const nullable: Readonly<Record<string, string>> = NULLABLE[kind];
  const secrets: Readonly<Record<string, string>> = SECRETS[kind];
  const unset: string[] = [];

  function group(members: object, parent: string): Record<string, unknown> {
    const entries = Object.entries(members) as [string, unknown][];
    return Object.fromEntries(entries.flatMap(([name, value]) => member(name, value, parent + name)));
  }

  function member(name: string, value: unknown, path: string): [string, unknown][] {
    if (value === undefined) return [];
    if (value === null) {
      if (Object.hasOwn(nullable, path)) unset.push(nullable[path] ?? "");
      return [];
    }
    const holder = Object.hasOwn(secrets, path) ? secrets[path] : undefined;
    // Keys of a user's map are templates too; in names of attributes there is nothing to escape.
    return holder === undefined ? [[escapedText(name), converted(value, path)]] : secret(holder, value, path);
  }

  function secret(holder: string, value: unknown, path: string): [string, unknown][] {
    if (!(value instanceof Secret)) throw new LiteralSecret(path, { constructPath: user.node.path });
    const versioned = holder.endsWith("Wo") && value.version !== undefined;
    return [
      [holder, value.valueFor(user)],
      ...(versioned ? [[`${holder}Version`, value.version] as [string, unknown]] : []),
    ];
  }

  function converted(value: unknown, path: string): unknown {
    if (Token.isUnresolved(value) && typeof value !== "string") return value;
    if (typeof value === "string") return escapedText(value);
    if (Array.isArray(value)) return value.map((element) => converted(element, path));
    return isGroup(value) ? group(value, `${path}.`) : value;
  }

  const config = group(declared, "");
  return unset.length === 0 ? config : { ...config, unset: unset.sort() };
}

function isGroup(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
