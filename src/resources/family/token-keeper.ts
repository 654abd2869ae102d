import type { ObjectValue } from "../../values";

/** How the embedded engine keeps secrets that exist only in an answer (design: Tokens). Terraform keeps them in its state. */
export interface TokenKeeper {
  /** Durable before it resolves: a token is about to be minted. */
  intend(login: string, name: string, mintWith: string): Promise<MintIntent>;
}

export interface MintIntent {
  /** Durable before it resolves: the token with its secret. Closes the intent. */
  keep(state: ObjectValue): Promise<void>;
  /** Nothing was minted, or what was minted is revoked. Closes the intent. */
  drop(): Promise<void>;
}
