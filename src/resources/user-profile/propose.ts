/** What is planned for a user profile. */
import { isList, type ObjectValue } from "../../values";
import type { Proposal, ProposeContext } from "../family";
import { text } from "../record/members";
import { proposeRecord } from "../record/propose";
import { userProfile } from "./description";

export function proposeProfile(
  config: ObjectValue,
  prior: ObjectValue | null,
  context: Partial<ProposeContext> = {},
): Proposal {
  return proposeRecord(userProfile.attributes, config, prior, context, {
    who: ({ username }, live) => text(live?.["login"]) ?? text(username) ?? "",
    adjust: (planned, live) =>
      unsetsPassword(config) && live["password_set"] === true ? { ...planned, password_set: false } : planned,
  });
}

/** Whether the password is to be taken away. */
export function unsetsPassword(config: ObjectValue): boolean {
  const unset = config["unset"];
  return isList(unset) && unset.includes("password_wo");
}
