/** `tenancy show`: renders a saved plan. */
import { readPlans } from "../../engine";
import { jsonText } from "../../render/json";
import { viewText } from "../../render/text";
import { planView, type PlanViewOptions } from "../../render/view";
import { isApproved } from "../../plan";
import { demandOf, judgedBy } from "../approvals";
import { Documents } from "../documents";
import { EXIT } from "../io";
import { readFileOrStdin } from "../named-files";
import type { Verb } from "./verb";

export const show: Verb<"show"> = async ({ operands: [file = ""], flags }, terminal) => {
  const { io, screen } = terminal;
  const documents = new Documents(flags, terminal);
  return documents.around(async () => {
    const demand = await demandOf(flags, io);
    const plans = readPlans(await readFileOrStdin(file, io));
    let areApproved = true;
    for (const [index, { plan, drift, missingFacts, needs, json }] of plans.entries()) {
      const approval = judgedBy(demand, () => needs);
      areApproved &&= approval.verdicts.every(isApproved);
      const viewOf = (options: PlanViewOptions) =>
        planView(plan, { ...options, drift, missingFacts, approval });
      documents.add(viewOf);
      if (documents.takesStdout) continue;
      const text = () => viewText(viewOf({ all: flags.all === true }), screen.data);
      screen.print(flags.json === true ? jsonText(json) : (index === 0 ? "" : "\n") + text());
    }
    return areApproved ? EXIT.ok : EXIT.unapproved;
  });
};
