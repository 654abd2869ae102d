/** Terraform's state as it lies on disk: what it remembers, as a state would. */
import { existsSync, readFileSync } from "node:fs";
import type { KeptState, KeptToken } from "./kept-state";

interface State {
  readonly resources: readonly {
    readonly type: string;
    readonly instances: readonly { readonly attributes: Attributes }[];
  }[];
}

interface Attributes {
  readonly name?: string;
  readonly login?: string;
  readonly uuid?: string;
  readonly password_wo_version?: number | null;
  readonly deletion_protection?: boolean;
  readonly unset?: readonly string[] | null;
}

/** @returns undefined where there is none */
export function readState(file: string): KeptState | undefined {
  // A run that was killed before its first write has only locked it.
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (text === "") return undefined;
  const { resources } = JSON.parse(text) as State;
  const objects = resources.flatMap(({ type, instances }) =>
    instances.map(({ attributes }) => ({ type, attributes })),
  );
  const tokens = {
    tokens: objects.flatMap(({ type, attributes }) =>
      type === "tenancy_authorization" ? [tokenOf(attributes)] : [],
    ),
    intents: [],
    failedRevocations: [],
    temporaryPasswords: [],
  };
  return {
    // Serial numbers, and notes in private state, say nothing of the objects.
    text: JSON.stringify(objects),
    isKnown: true,
    ...tokens,
    everywhere: tokens,
    objects: Object.fromEntries(
      objects.flatMap(({ type, attributes }) =>
        type === "tenancy_authorization" ? [] : [objectsOf(type, attributes)],
      ),
    ),
  };
}

function tokenOf(attributes: Attributes): KeptToken {
  const { login, name, previous, keepers } = attributes as unknown as KeptToken;
  return {
    login,
    name,
    record: attributes as unknown as KeptToken["record"],
    previous: previous ?? [],
    ...(keepers && { keepers }),
  };
}

function objectsOf(type: string, attributes: Attributes): readonly [string, KeptState["objects"][string]] {
  const { uuid = "", password_wo_version: version, deletion_protection: isProtected, unset } = attributes;
  const key = type === "tenancy_account" ? `account:${attributes.name}` : `user_profile:${attributes.login}`;
  return [
    key,
    {
      uuid,
      write_only: version === null || version === undefined ? {} : { password_wo: { version } },
      ...(isProtected !== undefined && { isProtected }),
      ...(unset !== undefined && { unset }),
    },
  ];
}
