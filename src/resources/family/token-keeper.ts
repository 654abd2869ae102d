import type { ObjectValue } from "../../values";

/** How the embedded engine keeps secrets that exist only in an answer (design: Tokens). Terraform keeps them in its state. */
export interface TokenKeeper {
  /** Durable before it resolves: a token is about to be minted. */
  intend(login: string, name: string, mintWith: string): Promise<MintIntent>;
  /** Tokens of a user that are kept besides the declared one, and are to stay good. @default none are known */
  readonly keptFor?: (login: string) => readonly KeptSecret[];
}

export interface KeptSecret {
  readonly serial: string;
  readonly access_token: string;
}

export interface MintIntent {
  /** Durable before it resolves: the token with its secret. Closes the intent. */
  keep(state: ObjectValue): Promise<void>;
  /** Nothing was minted, or what was minted is revoked. Closes the intent. */
  drop(): Promise<void>;
}
