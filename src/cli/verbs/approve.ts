/** `tenancy approve PLAN`: writes what a saved plan needs approved into `tenancy.approvals`. */
import { readPlans } from "../../engine";
import {
  APPROVALS_FILE,
  approvalsText,
  type ApprovalLevel,
  dayAhead,
  missingApprovals,
  unfitDay,
} from "../../plan";
import { confirmationNeeded, fileUnusable, usage } from "../../problems";
import { viewText } from "../../render/text";
import { approvalView } from "../../render/view";
import { addApprovals, demandOf, judgedBy } from "../approvals";
import { EXIT } from "../io";
import { readSavedPlan } from "../project/project";
import { canAsk, confirm, interruptible } from "../terminal";
import type { Verb } from "./verb";

const DEFAULT_DAYS = 7;

export const approve: Verb<"approve"> = ({ verb, operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const [file = ""] = operands;
    const saved = await readSavedPlan(operands, io);
    if (saved === undefined)
      throw fileUnusable.error({
        file,
        problem: "there is no such file",
        advice: "Name a file that `tenancy plan --out FILE` wrote.",
      });
    const needs = readPlans(saved.text).flatMap((plan) => plan.needs);
    const demand = await demandOf({ ...flags, requireApproval: flags.requireApproval ?? DEFAULT_LEVEL }, io);
    const until = flags.until ?? dayAhead(demand.now, DEFAULT_DAYS);
    const problem =
      unfitDay(until, demand.now) ?? (until < dayAhead(demand.now, 0) ? "in the past" : undefined);
    if (problem !== undefined)
      throw usage.error({ problem: `--until is ${problem}`, advice: "Name a day in the next 30 days." });
    const judged = judgedBy(demand, () => needs);
    const { verdicts } = judged;
    screen.print(viewText(approvalView(judged), screen.data));
    const entries = missingApprovals(verdicts, until);
    const isOpen = verdicts.some(({ unknown }) => unknown.length > 0);
    if (entries.length > 0) {
      if (flags.yes !== true && !canAsk(io)) throw confirmationNeeded.error({ verb });
      screen.print(`\n${approvalsText(entries)}`);
      const question = `Write this to ${APPROVALS_FILE}, until ${until}?`;
      if (flags.yes !== true && !(await confirm(question, io, signal))) {
        screen.tell("Nothing was written.");
        return EXIT.failed;
      }
      await addApprovals(entries, io);
      screen.tell(`Written to ${APPROVALS_FILE}. Commit it: the entry holds until the end of ${until}, UTC.`);
    }
    return isOpen ? EXIT.unapproved : EXIT.ok;
  });

/** `approve` writes entries from this level on, even if the project demands fewer approvals. */
const DEFAULT_LEVEL: ApprovalLevel = "broadening";
