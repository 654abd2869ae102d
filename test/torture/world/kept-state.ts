/** The state as it lies on disk, read without the product's own code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface KeptToken {
  readonly login: string;
  readonly name: string;
  readonly record: {
    readonly id: string;
    readonly serial: string;
    readonly access_token: string;
    readonly user_id?: string;
  };
  readonly previous: readonly { readonly serial: string; readonly access_token: string }[];
  readonly keepers?: { readonly rotation?: string };
}

/** The part of a state that is about tokens. */
export interface KeptTokens {
  readonly tokens: readonly KeptToken[];
  readonly intents: readonly { readonly id: string; readonly login: string; readonly name: string }[];
  readonly failedRevocations: readonly { readonly serial: string; readonly access_token: string }[];
  /** Passwords that were set to create a token, and are not proven to be gone. */
  readonly temporaryPasswords: readonly { readonly user_id: string }[];
}

/** The state as a run at one address finds it. */
export interface KeptState extends KeptTokens {
  /** As it is on disk. */
  readonly text: string;
  /** True if anything was ever kept for this address. */
  readonly isKnown: boolean;
  /** The same for all addresses. */
  readonly everywhere: KeptTokens;
  readonly objects: Readonly<
    Record<
      string,
      {
        readonly uuid: string;
        /** The record itself, if its uuid does not tell that it is ours. */
        readonly record?: {
          readonly id?: string;
          readonly serial?: string;
          readonly ctime?: number;
          readonly account_id?: string;
        };
        readonly write_only: Readonly<Record<string, { readonly version: unknown }>>;
        /** Terraform's state knows whether an account may be deleted. */
        readonly isProtected?: boolean;
        /** And which values are to be none. */
        readonly unset?: readonly string[] | null;
      }
    >
  >;
}

interface Document {
  readonly parts: readonly Part[];
}

/** An object as the state has it, with its versions of secrets. */
type KeptObject = Omit<KeptState["objects"][string], "write_only"> & {
  readonly secrets?: KeptState["objects"][string]["write_only"];
};

interface Part extends Pick<KeptState, "tokens" | "intents"> {
  readonly origin: string;
  readonly failed_revocations: KeptState["failedRevocations"];
  /** Absent where nothing is remembered. */
  readonly objects?: { readonly objects: Readonly<Record<string, KeptObject>> };
  /** Absent where there are none. */
  readonly temporary_passwords?: KeptState["temporaryPasswords"];
}

/**
 * @param origin the address of the service that runs use
 * @returns undefined where there is none
 */
export function readState(file: string, origin: string): KeptState | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  const { parts } = JSON.parse(text) as Document;
  const here = parts.filter((part) => part.origin === origin);
  // A write under way of an object whose uuid nobody knows yet is no entry of an object.
  const remembered = here
    .flatMap(({ objects }) => Object.entries(objects?.objects ?? {}))
    .filter(([, { uuid }]) => uuid !== "")
    .map(([key, object]) => [key, { ...object, write_only: object.secrets ?? {} }] as const);
  return {
    text,
    isKnown: here.length > 0,
    ...tokensIn(here),
    everywhere: tokensIn(parts),
    objects: Object.fromEntries(remembered),
  };
}

function tokensIn(parts: readonly Part[]): KeptTokens {
  return {
    tokens: parts.flatMap(({ tokens }) => tokens),
    intents: parts.flatMap(({ intents }) => intents),
    failedRevocations: parts.flatMap(({ failed_revocations: failed }) => failed),
    temporaryPasswords: parts.flatMap(({ temporary_passwords: passwords = [] }) => passwords),
  };
}

/** Who holds the state, or held it and did not let go; undefined where nobody does. */
export function lockOn(file: string): string | undefined {
  const lock = `${file}.lock`;
  return existsSync(lock) ? readFileSync(lock, "utf8") : undefined;
}

/** Copies the state without its lock. The lock's holder is dead or on another machine, though an abandoned engine looks alive in this process. */
export function copyWithoutLock(file: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of ["state.json.tmp", "state.json"]) {
    const text = readIfThere(join(dirname(file), name));
    if (text !== undefined) writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return join(folder, "state.json");
}

/** A write may be under way: what is renamed in the middle of the copy is as good as not there. */
function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
