/** `tenancy approve PLAN`: writes the approvals that a saved plan lacks to `approvals/`. */
import { readPlans } from "../../engine";
import { approvalFiles, type ApprovalLevel, dayAhead, missingApprovals, unfitDay } from "../../plan";
import { confirmationNeeded, fileUnusable, usage } from "../../problems";
import { viewText } from "../../render/text";
import { approvalView } from "../../render/view";
import { demandOf, filesText, judgedBy, writeApprovals } from "../approvals";
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
    const approval = judgedBy(demand, () => needs);
    const { verdicts } = approval;
    const stacks = new Set(verdicts.map(({ stack }) => stack));
    const views = [...stacks].map((name) =>
      approvalView({ ...approval, verdicts: verdicts.filter(({ stack }) => stack === name) }),
    );
    const texts = (views.length === 0 ? [approvalView(approval)] : views).map((view) =>
      viewText(view, screen.data),
    );
    screen.print(texts.join("\n\n"));
    const missing = missingApprovals(verdicts, until);
    const isOpen = verdicts.some(({ unknown }) => unknown.length > 0);
    if (missing.length > 0) {
      if (flags.yes !== true && !canAsk(io)) throw confirmationNeeded.error({ verb });
      const files = approvalFiles(missing);
      screen.print(`\n${filesText(files)}`);
      const paths = Object.keys(files).join(", ");
      const question = `Write ${paths}, until ${until}?`;
      if (flags.yes !== true && !(await confirm(question, io, signal))) {
        screen.tell("Nothing was written.");
        return EXIT.failed;
      }
      await writeApprovals(files, io);
      screen.tell(`Written: ${paths}. Commit it: it approves until the end of ${until}, UTC.`);
    }
    return isOpen ? EXIT.unapproved : EXIT.ok;
  });

/** `approve` writes approvals from this level on, even if the project demands fewer approvals. */
const DEFAULT_LEVEL: ApprovalLevel = "broadening";
