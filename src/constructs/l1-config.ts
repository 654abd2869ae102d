/** From what a user declares in L2 to the configuration of an L1 construct. */
import { Token, Tokenization } from "cdktf";
import type { Construct } from "constructs";
import { LiteralSecret } from "../errors";
import { NULLABLE, SECRETS } from "./generated/l2/declared";
import { plainText } from "./plain-text";
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
    const config: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(members) as [string, unknown][]) {
      const path = parent + name;
      const writeOnly = Object.hasOwn(secrets, path) ? secrets[path] : undefined;
      if (value === undefined) continue;
      if (value === null) {
        if (Object.hasOwn(nullable, path)) unset.push(nullable[path] ?? "");
      } else if (writeOnly !== undefined) {
        if (!(value instanceof Secret)) throw new LiteralSecret(`"${path}"`);
        config[writeOnly] = value.valueFor(user);
        if (value.version !== undefined) config[`${writeOnly}Version`] = value.version;
      } else {
        config[plainKey(name)] = isGroup(value) ? group(value, `${path}.`) : plain(value);
      }
    }
    return config;
  }

  const config = group(declared, "");
  return unset.length === 0 ? config : { ...config, unset: unset.sort() };
}

function plain(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  return Array.isArray(value) && !Token.isUnresolved(value) ? value.map(plain) : value;
}

/** Keys of a user's map are templates too; names of attributes hold nothing to escape. */
function plainKey(name: string): string {
  return plainText(name);
}

function isGroup(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Tokenization.isResolvable(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
