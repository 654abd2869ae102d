/** What is planned for an account. */
import { asWarning, TemplateRecorded } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Proposal, ProposeContext } from "../family";
import { text } from "../record/members";
import { proposeRecord } from "../record/propose";
import { account } from "./description";

export function proposeAccount(
  config: ObjectValue,
  prior: ObjectValue | null,
  context: Partial<ProposeContext> = {},
): Proposal {
  const proposal = proposeRecord(account.attributes, config, prior, context, {
    who: ({ name }, live) => text(live?.["name"]) ?? text(name) ?? "",
  });
  const recorded =
    proposal.action === "update" && proposal.changes.some(({ path }) => path[0] === "template");
  if (!recorded) return proposal;
  return { ...proposal, diagnostics: [...proposal.diagnostics, ...asWarning(new TemplateRecorded())] };
}
