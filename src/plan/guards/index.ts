/** Every guard that is judged before the first write (design: Guards). One refusal stops the run. */
import type { Diagnostic } from "../../errors";
import type { Draft } from "../draft";
import { accountDeletion } from "./account-deletion";
import { earlyRetirement } from "./early-retirement";
import type { Guard } from "./guard";
import { limit } from "./limit";
import { massDeletion } from "./mass-deletion";
import { nonempty } from "./nonempty";
import { preventDestroy } from "./prevent-destroy";
import { selfChange } from "./self-change";
import { unprovenAbsence } from "./unproven-absence";
import { wholeLists } from "./whole-lists";

const GUARDS: readonly Guard[] = [
  wholeLists,
  unprovenAbsence,
  preventDestroy,
  accountDeletion,
  nonempty,
  massDeletion,
  limit,
  earlyRetirement,
  selfChange,
];

export { permitsAccount } from "./account-deletion";

/** The refusals of all guards; none of them where the plan may go on. */
export function judge(draft: Draft): readonly Diagnostic[] {
  return GUARDS.flatMap((guard) => guard(draft));
}
