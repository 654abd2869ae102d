import { unapprovedAccess } from "./approved";
import { canaries } from "./canaries";
import { deletions } from "./deletions";
import type { Invariant, Witness } from "./invariant";
import { temporaryPasswords, unheardRuns, abandonedLocks } from "./leftovers";
import { ownCredential } from "./own-credential";
import { ownership } from "./ownership";
import { planning } from "./planning";
import { pruning } from "./pruning";
import { unfinishedPlans, unlistedLosses } from "./shown";
import { unaskedTokens, openIntents, otherAddress, tokens, unchangedTokens } from "./tokens";
import { twins } from "./twins";
import { undeclaredChanges } from "./undeclared";
import { uniqueness } from "./uniqueness";

const ofBoth: readonly Invariant[] = [
  ownership,
  deletions,
  uniqueness,
  twins,
  tokens,
  canaries,
  ownCredential,
  planning,
  undeclaredChanges,
  temporaryPasswords,
  unlistedLosses,
  unfinishedPlans,
];

export const invariants: Readonly<Record<Witness["engine"], readonly Invariant[]>> = {
  embedded: [
    ...ofBoth,
    pruning,
    unapprovedAccess,
    unaskedTokens,
    openIntents,
    unchangedTokens,
    otherAddress,
    abandonedLocks,
    unheardRuns,
  ],
  terraform: ofBoth,
};
