/** Carries out the plan of one object under Terraform. */
import { asWarning, failuresIn, notRevoked, TenancyError, tokenMayEnd, tokenWaits } from "../problems";
import {
  plansNewToken,
  type Expectation,
  fillPlanned,
  isVersionRecorded,
  type Outcome,
  type Resource,
  updatesPassword,
} from "../resources";
import { changesBetween } from "../schema";
import { isUnknown, type ObjectValue } from "../lib/values";
import type {
  Call,
  CreateRequest,
  DeleteRequest,
  DiagnosticsResult,
  WriteResult,
} from "../lib/plugin-runtime";
import { deletionOf, refusalsOfRotation, refusalsOfSelfChange } from "./guards";
import { type Notes, notesAfterWrite, notesOf, noteOfTime, privateStateOf } from "./private-state";
import { type Bound, conformedConfig } from "./service";
import { keyOf, tokenKeyOf, toTerraform } from "./words";

/** Creates an object, or updates it if there is a prior one. */
export async function applyResourceChange(
  bound: Bound,
  {
    prior,
    planned: incompletePlan,
    config,
    private: privateState,
  }: CreateRequest & { readonly prior: ObjectValue | null },
  call: Call,
): Promise<WriteResult> {
  const { resource, service } = bound;
  const { attributes } = resource.description;
  const connection = service.connectionForWrite();
  const desired = conformedConfig(resource, config);
  // The private state of a create is that of the object which was replaced.
  const notes: Notes =
    prior !== null
      ? notesOf(privateState)
      : resource.kind === "record"
        ? { notedAt: noteOfTime(resource, null, connection.now()) }
        : {};
  const { isImported = false, grantedRights, isRotationPending: rotate } = notes;
  const asOf = prior === null && resource.kind === "record" ? undefined : notes.notedAt;

  // The user of a token may have lost access since the refresh, in this very apply.
  const isWaiting =
    resource.kind === "token" &&
    (notes.isWaiting === true ||
      (plansNewToken(incompletePlan) && (await resource.waits(connection, desired))));

  // The configuration is wholly known now, so it fills values that the plan left unknown.
  const context = { asOf, rotate, isWaiting };
  const planned = fillPlanned(attributes, incompletePlan, resource.propose(desired, prior, context).planned);

  // Terraform keeps a token in its state. If Terraform is gone, `keep` rejects: then the family revokes the new token, and the old ones
  // stay.
  const unlessLost = () => (call.isLost ? Promise.reject(new Error("Terraform is gone")) : Promise.resolve());
  const intent = { keep: unlessLost, drop: () => Promise.resolve() };
  const keeper = { intend: () => unlessLost().then(() => intent) };

  let outcome: Outcome;
  let isRotationPending = false;
  if (prior === null && isWaiting) {
    // A token that is yet to be created: the next refresh looks whether it can be.
    const values = Object.entries(planned).map(([name, value]) => [name, isUnknown(value) ? null : value]);
    const state = Object.fromEntries(values) as ObjectValue;
    outcome = { state, findings: [tokenWaits.at({ key: tokenKeyOf(state) })] };
  } else if (prior === null)
    outcome = await resource.create(connection, { planned, config: desired, keeper });
  else {
    // The plan judged nothing if the provider's configuration was unknown then, so the update is judged here.
    const changes = changesBetween(attributes, prior, planned).filter(
      (change) => !isVersionRecorded(change, isImported),
    );
    const refusals = [
      ...(await refusalsOfSelfChange(bound, connection, {
        action: "update",
        before: prior,
        after: planned,
        changes,
        asOf,
      })),
      ...refusalsOfRotation(connection, prior, planned),
    ];
    if (refusals.length > 0) return { diagnostics: toTerraform(refusals) };

    outcome = await resource.update(connection, {
      ...{ prior, planned, config: desired, keeper, granted: grantedRights, ...context },
      recordVersions: isImported,
      expected: expectationOf(resource, prior, notes),
    });
    isRotationPending =
      isWaiting &&
      (rotate === true || changes.some(({ path: [first] }) => first === "keepers" || first === "seal_to"));
    // Terraform does not call the provider for a token that stays as it is, so the user's tokens are not tried.
    if (updatesPassword({ action: "update", before: prior, attributes: changes }))
      outcome = { ...outcome, findings: [...outcome.findings, tokenMayEnd.at(keyOf(prior))] };
  }

  if (call.isLost) await resource.undoCreate?.(connection, prior, outcome.state);
  service.secrets.addFrom(outcome.state);
  return {
    state: outcome.state,
    private: privateStateOf({
      ...notesAfterWrite(resource, desired, outcome, notes),
      isWaiting,
      isRotationPending,
    }),
    diagnostics: toTerraform(outcome.findings),
  };
}

/** Deletes an object. */
export async function applyDelete(
  bound: Bound,
  { prior, private: privateState }: DeleteRequest,
): Promise<DiagnosticsResult> {
  const { resource, service } = bound;
  const connection = service.connectionForWrite();
  const refusals = await refusalsOfSelfChange(bound, connection, deletionOf(prior));
  if (refusals.length > 0) return { diagnostics: toTerraform(refusals) };

  // The plan has warned of attributes that it shows differently. If it noted no `seq`, only uuid, key and account are compared.
  const { seq } = notesOf(privateState);
  const expectation = seq === undefined ? undefined : expectationOf(resource, prior, { seq });
  try {
    const findings = await resource.delete(connection, { prior, expected: expectation });
    return { diagnostics: toTerraform(findings) };
  } catch (error) {
    const isListed =
      connection.tokensRevocable === false && failuresIn(error).every((one) => notRevoked.is(one));
    if (!isListed || !(error instanceof TenancyError)) throw error;
    return { diagnostics: toTerraform(asWarning(error)) };
  }
}

/** The facts that must still be true of a record that is written to; undefined for a token. */
function expectationOf(
  { inventory }: Resource,
  prior: ObjectValue,
  { seq, partSeq }: Notes,
): Expectation | undefined {
  return inventory && { ...inventory.expectation({ self: prior }), seq, partSeq };
}
