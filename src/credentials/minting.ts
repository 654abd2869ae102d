import { MintingRefused } from "../errors";

/** Where a token would be kept. */
export interface MintingPlace {
  /** Whether `CI` is set. */
  readonly ci: boolean;
  /** Whether there is a key for the store. */
  readonly key: boolean;
  /** Whether a credential helper keeps the store. */
  readonly helper: boolean;
  /** Whether the user named the store's file. */
  readonly explicitPath: boolean;
}

/** Why nothing may be minted there: the machine of a CI job does not outlive it. Judged before anything is sent. */
export function mintingRefusal({ ci, key, helper, explicitPath }: MintingPlace): MintingRefused | undefined {
  return ci && !key && !helper && !explicitPath ? new MintingRefused() : undefined;
}
