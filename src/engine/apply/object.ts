/** Applies the change of one declared object, and reports the result to the progress. */
import type { TokenIdentity } from "../../state";
import { type ApprovalLevel, grantedBeyond } from "../../plan";
import {
  absentState,
  type Finding,
  grantedMore,
  type Location,
  movedOn,
  placed,
  whereaboutsOf,
} from "../../problems";
import { grantedIn, type Outcome } from "../../resources";
import { updatePasswordOf } from "../diff/passwords";
import { tokenKey, tokenIdentityOf } from "../tokens/identity";
import { stateValue } from "../evaluate/workspace";
import { noteRecorded, type ObjectWrites } from "../entries/object-write";
import type { PlannedRun } from "../plan";
import { mayBeIssuedAlready } from "../tokens/possibly-issued";
import { type PlannedObject } from "../planned-object";
import { type WriteTarget, writeTargetFor, type WriteTargets } from "../target";
import { noteEnded } from "../tokens/refusals";
import type { TokenIntents } from "../tokens/intents";
import { tokenKeeper } from "../tokens/keeper";
import { forgetReplacedPassword, type StoredTokenCheck } from "./passwords";
import { findingsOfError, type Done, type Progress } from "./progress";
import type { Values } from "./values";
import { writeObject } from "./write";

/** Everything that an apply works with. */
export interface ApplyContext {
  readonly planned: PlannedRun;
  readonly writeTargets: WriteTargets;
  readonly writes: ObjectWrites;
  readonly intents: TokenIntents;
  readonly values: Values;
  readonly progress: Progress;
  readonly storedTokens: StoredTokenCheck;
  readonly requiredApproval: ApprovalLevel;
}

/** True if there is something to send, to note, or to check: tokens are checked one by one. */
export function hasWork({ change, recorded, resource }: PlannedObject): boolean {
  return change.action !== "none" || recorded.length > 0 || resource.kind === "token";
}

/** @returns true if it succeeded; the progress has a failure */
export async function applyObject(object: PlannedObject, context: ApplyContext): Promise<boolean> {
  const { change, block, instance } = object;
  const { progress, writeTargets } = context;
  const where = whereaboutsOf(block, instance.address);
  const operation = change.action === "create" ? "create" : "update";
  context.storedTokens.noteReached(object);
  try {
    await requireGoodToken(object, context, where);
    if (change.action === "none") {
      // The state remembered nothing of some values, so the plan assumed the declared ones. The state notes them now.
      if (object.recorded.length === 0 || object.remembered === undefined) return true;
      const draft = writeTargetFor(writeTargets, change.provider).part.objects.draft(object.remembered);
      await noteRecorded(draft, object);
      draft.keep();
      return true;
    }
  } catch (error) {
    return progress.fail(change, operation, findingsOfError(error, where));
  }
  const act = () => carryOut(object, context, where);
  return progress.operation(change, operation, act, (error) => findingsOfError(error, where));
}

async function carryOut(object: PlannedObject, context: ApplyContext, where: Location): Promise<Done> {
  const { planned, writeTargets, values, storedTokens } = context;
  const { run } = planned;
  const { resource, sensitive } = object;
  const writeTarget = writeTargetFor(writeTargets, object.change.provider);
  const outcome = await writeObject(object, {
    writeTarget,
    write: context.writes.writeOf(object),
    keeper: tokenKeeper({
      state: run.state,
      part: writeTarget.part,
      intents: context.intents,
      now: writeTarget.connection.now,
      snapshot: writeTarget.target.snapshot,
      sensitive: object.sensitive,
      rotation: object.rotation,
      demand: (token) => requireNotIssued(token, writeTarget, planned),
    }),
    planned,
    values,
  });
  storedTokens.noteWritten(object);
  forgetReplacedPassword(object, outcome, writeTargets);
  // The keeper has saved a new token already. This saves the other changes of the write, such as revoked predecessors.
  if (resource.kind === "token") await run.state.save();
  values.note(object, outcome.state);
  const { id } = outcome.state;
  const self = () => stateValue(outcome.state, { description: resource.description, sensitive });
  return {
    id: typeof id === "string" ? id : undefined,
    findings: [
      ...placed([...outcome.findings, ...grantedUnseen(object, outcome, context.requiredApproval)], where),
      ...values.failedAfter(object, self),
    ],
  };
}

/** The approval covers only the access that the plan showed. */
function grantedUnseen(
  { resource, change }: PlannedObject,
  { records }: Outcome,
  requiredApproval: ApprovalLevel,
): readonly Finding[] {
  if (requiredApproval === "never" || change.action !== "create") return [];
  const { kind, inventory, description } = resource;
  if (kind === "token" || records === undefined) return [];
  const live = inventory.stateOf(records, null);
  const more = grantedBeyond(change, live, grantedIn(description.attributes, records) ?? []);
  return more.length === 0 ? [] : [grantedMore.at({ noun: description.noun, key: change.title, more })];
}

/** Called before each token is created. The plan judged known logins; this judges the logins that it did not know. */
function requireNotIssued(
  token: TokenIdentity,
  { part, target: { snapshot } }: WriteTarget,
  { run, options }: PlannedRun,
): void {
  if (options.initState === true || !mayBeIssuedAlready({ part, snapshot }, token)) return;
  throw absentState.error({ state: run.state.description, part: part, tokens: [tokenKey(token)] });
}

/**
 * Tries the token, because the plan trusted the state. If the plan has tried it (`--verify-tokens`), it is tried again only if this run
 * changes its user's password, because a service may revoke tokens with it.
 */
async function requireGoodToken(
  object: PlannedObject,
  { planned, writeTargets, progress }: ApplyContext,
  where: Location,
): Promise<void> {
  const { resource, change, rotation, target } = object;
  if (resource.kind === "record" || change.before === null || rotation !== undefined) return;
  const isVerified = planned.options.verifyTokens === true;
  if (isVerified && !updatePasswordOf(tokenIdentityOf(change.before).login, target, planned.objects)) return;
  const { connection, part } = writeTargetFor(writeTargets, change.provider);
  const outcome = await resource.read(connection, change.before);
  if (outcome?.state["serial"] !== change.before["serial"]) {
    noteEnded(part, { before: change.before, left: outcome?.state }, connection.now());
    await planned.run.state.save();
    throw movedOn.error(
      { noun: "token", key: change.title, what: "the service refuses it" },
      { advice: () => "Run again: then a new one is created." },
    );
  }
  for (const finding of placed(outcome?.findings ?? [], where)) progress.note(finding);
}
