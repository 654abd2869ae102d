import type { Commit } from "../world/snapshot";
import type { Invariant, PlannedAction, Witness } from "./invariant";
import { referenceIn, takesAwayLeftPassword, writesOf, type Write } from "./writes";

export const planning: Invariant = {
  title: "a plan writes nothing, an apply only what it planned, and nothing where the service has moved",
  violations: (witness) => {
    const { verb, outcome, reviewed } = witness;
    const writes = writesOf(witness);
    const [first] = writes;
    if (first === undefined) return [];
    if (verb === "plan") return [`a plan sent ${first.method} ${first.path}`];
    if (outcome.end === "refused")
      return [`${first.method} ${first.path} in a run that was refused with ${outcome.codes.join(", ")}`];
    const hasMoved =
      reviewed?.moved === true || (reviewed?.tokensMoved === true && !isTokenUnproven(witness));
    if (hasMoved && !mayHaveMovedBack(first, witness))
      return [`${first.method} ${first.path}, although the service had moved`];
    if (reviewed === undefined && outcome.isUnread === true) return [];
    const planned = reviewed?.planned ?? outcome.planned;
    return writes
      .filter((write) => !isPlanned(write, planned, witness))
      .map(({ method, path, sent }) => `${method} ${path} ${sent} was not planned`);
  },
};

/** Somebody else wrote while the run looked at the service: what had moved may be again as it was planned from. */
function mayHaveMovedBack({ index }: Write, { exchanges }: Witness): boolean {
  return exchanges.some(
    ({ index: at, rivals }) => at <= index && rivals.before.length + rivals.after.length > 0,
  );
}

/** True if an answer left open whether a token still works. The run warns then, and goes on with what was planned. */
function isTokenUnproven({ exchanges }: Witness): boolean {
  return exchanges.some(
    ({ path, status, answer }) =>
      path === "/api/status/authorization" && (answer === "" || (status !== 200 && status !== 401)),
  );
}

/** True if one of the planned actions is about what was written. */
function isPlanned(write: Write, planned: readonly PlannedAction[], witness: Witness): boolean {
  const { path, method, commits } = write;
  if (takesAwayLeftPassword(write, witness)) return true;
  const active = planned.filter(({ action }) => action !== "none");
  if (path.startsWith("/api/authorization")) {
    const isWanted = active.some(({ type }) => type === "tenancy_authorization");
    return isWanted || revokesLeftover(path, witness);
  }
  return commits.some((commit) => {
    const key = keyOf(commit);
    if (key === undefined) return false;
    const isPlannedHere = active.some((action) => action.key === key && fits(action.action, method));
    const ephemeral = active.some(
      (action) => action.type === "tenancy_authorization" && action.key.startsWith(`${key}/`),
    );
    return isPlannedHere || (method === "PATCH" && ephemeral);
  });
}

function keyOf(commit: Commit): string | undefined {
  if (commit.kind === "account") return (commit.before ?? commit.after)?.name;
  return commit.kind === "profile" ? (commit.before ?? commit.after)?.login : undefined;
}

function fits(action: string, method: string): boolean {
  switch (method) {
    case "POST":
      return action === "create" || action === "replace";
    case "DELETE":
      return action === "delete" || action === "replace";
    default:
      return action === "update";
  }
}

/** Every apply tries again to revoke what an earlier run could not revoke. */
function revokesLeftover(path: string, { state, chronicle }: Witness): boolean {
  const reference = referenceIn(path);
  const token = chronicle.createdTokens.find(({ id, serial }) => id === reference || serial === reference);
  return state.before?.failedRevocations.some(({ serial }) => serial === token?.serial) === true;
}
