import { approved } from "./approved";
import { canaries } from "./canaries";
import { deletions } from "./deletions";
import type { Invariant, Witness } from "./invariant";
import { meetingOwners, passingPassword, toldNobody, unlocked } from "./leftovers";
import { ownCredential } from "./own-credential";
import { ownership } from "./ownership";
import { planning } from "./planning";
import { pruning } from "./pruning";
import { done, shown } from "./shown";
import { askedMinting, openIntents, otherAddress, tokens, unchangedTokens } from "./tokens";
import { twins } from "./twins";
import { undeclared } from "./undeclared";
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
  undeclared,
  passingPassword,
  shown,
  done,
];

export const invariants: Readonly<Record<Witness["engine"], readonly Invariant[]>> = {
  embedded: [
    ...ofBoth,
    pruning,
    approved,
    askedMinting,
    openIntents,
    unchangedTokens,
    otherAddress,
    unlocked,
    toldNobody,
    meetingOwners,
  ],
  terraform: ofBoth,
};
