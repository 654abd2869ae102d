/** What a way of minting is given, and what it gives. */
import type { MintedAuthorization } from "../../../api";
import type { Diagnostic } from "../../../errors";
import type { Connection, KeptSecret } from "../../family";

export interface MintRequest {
  readonly connection: Connection;
  /** Whom the token is for. */
  readonly login: string;
  /** The declared `password_wo`. */
  readonly password: string | undefined;
  /** Tokens of the user that are known, and are to stay good. */
  readonly kept: readonly KeptSecret[];
}

export interface Minted {
  readonly record: MintedAuthorization;
  /**
   * What is left to be done, once the token is kept or revoked: it must not be lost meanwhile. Called once; throws nothing of ours. Errors in
   * what it returns mean that the token, or others of the user, are not good.
   * @param isKept whether the token is to be good
   */
  readonly cleanUp?: (isKept: boolean) => Promise<readonly Diagnostic[]>;
}

/** Throws where nothing was minted, or where that cannot be told (AnswerLost). */
export type MintWith = (request: MintRequest) => Promise<Minted>;
