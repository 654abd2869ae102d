/** Plans one object under Terraform. */
import {
  deletedAsItIs,
  type Finding,
  importReplaced,
  renamedOutside,
  tokenWaits,
  versionRecorded,
} from "../problems";
import { type AttributeChange, changesBetween, secretPath } from "../schema";
import { goneWithId, isVersionRecorded } from "../resources";
import { formatPath, isList, isObject, type ObjectValue, textOf } from "../lib/values";
import type { DeleteRequest, PlanDeleteResult, PlanRequest, PlanResult } from "../lib/plugin-runtime";
import { holdsOwnToken, judgeChange, judgeCreate, judgeDelete, OWN_TOKEN } from "./guards";
import { type Notes, notesOf, privateStateOf, sequenceNumbersIn } from "./private-state";
import { type Bound, conformedConfig, misplacedSecrets } from "./service";
import { warningsOfPassword, warningsOfUndeclared } from "./undeclared";
import { keyOf, tokenKeyOf, toTerraform } from "./words";

/**
 * Plans an object that the configuration declares. Terraform plans a replacement in two calls: the first has the prior object, the second has
 * none, and gets the private state that the first one returned.
 */
export async function planResourceChange(
  bound: Bound,
  { prior, config, private: privateState }: PlanRequest,
): Promise<PlanResult> {
  const { resource, service } = bound;
  const { description } = resource;
  const { walk, connection } = service;
  const { replacedObject, ...notes } = notesOf(privateState);
  const { notedAt, grantedRights, isWaiting, isRotationPending: rotate } = notes;
  // A create judges ends by the clock of the apply: before that, expired access is not known.
  const asOf = prior === null && resource.kind === "record" ? undefined : notedAt;

  // Terraform validates a configuration right before its plan, so it is only converted here. Terraform passes values
  // without sensitive marks, so the provider recognises a secret by its value.
  const desired = conformedConfig(resource, config);
  service.secrets.addFrom(prior);
  const findings: Finding[] = [...misplacedSecrets(service, description, desired)];

  const proposal = resource.propose(desired, prior, { asOf, granted: grantedRights, rotate, isWaiting });
  const { action, changes, replacedBy } = proposal;
  findings.push(...proposal.findings);
  if (isWaiting === true && prior !== null) findings.push(tokenWaits.at({ key: tokenKeyOf(prior) }));

  // An object without account_id goes into the caller's own account. The plan call during the apply
  // asks for it, too, because a known value must not become unknown.
  const place =
    prior === null && connection !== undefined
      ? await resource.defaultAccount?.(connection, desired)
      : undefined;
  const planned = place === undefined ? proposal.planned : { ...proposal.planned, account_id: place.id };
  findings.push(...(place?.findings ?? []));

  // Terraform plans each object once more while it applies. After the first write of this process there
  // is no planConnection, so nothing is judged.
  const { planConnection } = service;
  if (prior === null) {
    if (planConnection !== undefined)
      findings.push(...(await judgeCreate(bound, planConnection, desired, replacedObject)));
    // The delete of a replacement compares `seq`, so `seq` stays noted. The create does not use it.
    const seq = replacedObject === undefined ? undefined : notes.seq;
    return { planned, private: privateStateOf({ seq }), diagnostics: toTerraform(findings) };
  }

  // A replacement has a warning of its own for undeclared values.
  if (action !== "replace")
    findings.push(
      ...warningsOfUndeclared(resource, desired, prior, notes),
      ...warningsOfPassword(desired, prior, notes),
    );

  // An imported object may have the declared secret already, so its first version is noted, and the secret is not sent.
  const isOnlyRecorded = (change: AttributeChange) => isVersionRecorded(change, notes.isImported);
  for (const { path } of changes.filter(isOnlyRecorded))
    findings.push(
      versionRecorded.at({ key: keyOf(prior), secret: formatPath(secretPath(path)) }, { attribute: path }),
    );
  const sentChanges = changes.filter((change) => !isOnlyRecorded(change));

  if (planConnection !== undefined)
    findings.push(
      ...(await judgeChange(bound, planConnection, desired, {
        action,
        before: prior,
        after: planned,
        changes: sentChanges,
        asOf,
      })),
    );

  const [firstPath] = replacedBy;
  const { noun } = description;
  if (firstPath !== undefined && hasDeclaredName(desired, notes.formerName)) {
    const [declaredName, liveName, id] = [notes.formerName, keyOf(prior), textOf(prior["id"]) ?? ""];
    const facts = { noun, declaredName, liveName, id, isRecorded: true };
    findings.push(renamedOutside.at(facts, { attribute: firstPath }));
  }
  // The user who imports an object wants to keep it, so its replacement is an error.
  if (firstPath !== undefined && walk.importedIds.has(textOf(prior["id"]) ?? ""))
    findings.push(
      importReplaced.at(
        { noun, key: keyOf(prior), because: formatPath(firstPath) },
        { attribute: firstPath },
      ),
    );

  return {
    planned,
    requiresReplace: replacedBy,
    private: privateStateOf({ ...notes, replacedObject: factsForDelete(bound, prior) }),
    diagnostics: toTerraform(findings),
  };
}

/** True if the configuration declares this name: of an account, or of a user in any account. */
function hasDeclaredName({ username, name }: ObjectValue, key: string | undefined): key is string {
  const declaredName = textOf(username) ?? textOf(name);
  return declaredName !== undefined && (key === declaredName || key?.startsWith(`${declaredName}@`) === true);
}

/**
 * The values that decide if an object may be deleted. Nested and secret values are left out: private state, which holds the others, is not encrypted.
 * So it is noted whether one of a token's secrets is that of the run.
 */
function factsForDelete({ resource, service }: Bound, prior: ObjectValue): ObjectValue {
  const { attributes } = resource.description;
  const facts = Object.entries(prior).filter(
    ([name, value]) =>
      value !== null && !isObject(value) && !isList(value) && attributes[name]?.sensitive === false,
  );
  return { ...Object.fromEntries(facts), ...(holdsOwnToken(service, prior) && { [OWN_TOKEN]: true }) };
}

/** Plans the delete of an object that the configuration no longer declares, or that is to be destroyed. */
export async function planDelete(
  bound: Bound,
  { prior, private: privateState }: DeleteRequest,
): Promise<PlanDeleteResult> {
  const { service } = bound;
  if (service.connection === undefined) return { diagnostics: toTerraform(service.stateUnchecked()) };
  const notes = notesOf(privateState);
  const { planConnection } = service;
  const refusals = planConnection === undefined ? [] : await judgeDelete(bound, planConnection, prior);
  const { seq, findings } = (await readUnrefreshed(bound, prior)) ?? { seq: notes.seq, findings: [] };
  return { private: privateStateOf({ ...notes, seq }), diagnostics: toTerraform([...refusals, ...findings]) };
}

/**
 * Reads an object whose delete Terraform plans by a stale state. Terraform 1.11 reads undeclared objects after it has planned their delete,
 * and plans a destroy in another process than the refresh. So the delete is for the record as it is known at the plan, and a warning names
 * the attributes that the plan shows differently.
 * @returns undefined if this walk has refreshed the object, or if it is not listed
 */
async function readUnrefreshed(
  { resource, service: { planConnection, walk } }: Bound,
  prior: ObjectValue,
): Promise<{ readonly seq: Notes["seq"]; readonly findings: readonly Finding[] } | undefined> {
  const { description, inventory } = resource;
  const id = textOf(prior["id"]);
  if (id === undefined || inventory === undefined || planConnection === undefined) return undefined;
  if (walk.refreshedStates.has(id)) return undefined;
  // This sends no request, because the guards have read the lists.
  if (inventory.listed(id, await planConnection.directory.snapshot()) === undefined) return undefined;
  const outcome = await resource.read(planConnection, prior);
  if (outcome?.records === undefined) return undefined;
  const warning = goneWithId(description.noun, keyOf(prior), { live: outcome.state, prior });
  if (warning !== undefined) return { seq: undefined, findings: [warning] };
  const { seq } = sequenceNumbersIn(resource, outcome);
  const changedAttributes = changesBetween(description.attributes, prior, outcome.state).map(({ path }) =>
    formatPath(path),
  );
  if (changedAttributes.length === 0) return { seq, findings: [] };
  return {
    seq,
    findings: [deletedAsItIs.at({ noun: description.noun, key: keyOf(prior), changedAttributes })],
  };
}
