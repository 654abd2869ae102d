import { canaries } from "./canaries";
import { deletions } from "./deletions";
import type { Invariant, Witness } from "./invariant";
import { ownCredential } from "./own-credential";
import { ownership } from "./ownership";
import { planning } from "./planning";
import { pruning } from "./pruning";
import { done, shown } from "./shown";
import { askedMinting, openIntents, tokens } from "./tokens";
import { undeclared } from "./undeclared";
import { uniqueness } from "./uniqueness";

const ofBoth: readonly Invariant[] = [
  ownership,
  deletions,
  uniqueness,
  tokens,
  canaries,
  ownCredential,
  planning,
  undeclared,
];

export const invariants: Readonly<Record<Witness["engine"], readonly Invariant[]>> = {
  embedded: [...ofBoth, pruning, shown, done, askedMinting, openIntents],
  terraform: ofBoth,
};
