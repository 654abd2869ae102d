/** What is planned for a user profile. */
import { asWarning, UndeclaredPermissions } from "../../errors";
import { isList, type ObjectValue } from "../../values";
import type { Proposal } from "../family";
import { proposeRecord } from "../record/propose";
import { userProfile } from "./description";

export function proposeProfile(config: ObjectValue, prior: ObjectValue | null): Proposal {
  const proposal = proposeRecord(userProfile.attributes, config, prior, (planned) =>
    unsetsPassword(config) && prior?.["password_set"] === true
      ? { ...planned, password_set: false }
      : planned,
  );
  const isNew = proposal.action === "create" || proposal.action === "replace";
  if (!isNew || (config["permissions"] ?? null) !== null) return proposal;
  const username = config["username"];
  const warning = new UndeclaredPermissions(typeof username === "string" ? username : "the user");
  return { ...proposal, diagnostics: [...proposal.diagnostics, ...asWarning(warning)] };
}

/** Whether the password is to be taken away. */
export function unsetsPassword(config: ObjectValue): boolean {
  const unset = config["unset"];
  return isList(unset) && unset.includes("password_wo");
}
