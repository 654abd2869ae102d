/** What a way of minting is given, and what it gives. */
import type { MintedAuthorization } from "../../../api";
import type { Diagnostic } from "../../../errors";
import type { Connection } from "../../family";

export interface MintRequest {
  readonly connection: Connection;
  /** Whom the token is for. */
  readonly login: string;
  /** The declared `password_wo`. */
  readonly password: string | undefined;
}

export interface Minted {
  readonly record: MintedAuthorization;
  /** What is left to be done, once the token is kept or revoked: it must not be lost meanwhile. Called once; throws nothing of ours. */
  readonly cleanUp?: () => Promise<readonly Diagnostic[]>;
}

/** Throws where nothing was minted, or where that cannot be told (AnswerLost). */
export type MintWith = (request: MintRequest) => Promise<Minted>;
