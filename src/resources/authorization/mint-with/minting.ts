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
  readonly warnings: readonly Diagnostic[];
}

/** Throws where nothing was minted, or where that cannot be told (AnswerLost). */
export type MintWith = (request: MintRequest) => Promise<Minted>;
