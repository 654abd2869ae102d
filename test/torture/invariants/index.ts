import { canaries } from "./canaries";
import { deletions } from "./deletions";
import type { Invariant } from "./invariant";
import { ownCredential } from "./own-credential";
import { ownership } from "./ownership";
import { planning } from "./planning";
import { askedMinting, tokens } from "./tokens";
import { undeclared } from "./undeclared";
import { uniqueness } from "./uniqueness";

export const invariants: readonly Invariant[] = [
  ownership,
  deletions,
  uniqueness,
  tokens,
  askedMinting,
  canaries,
  ownCredential,
  planning,
  undeclared,
];
