/** Guards the write of a declared token, and replaces a compromised one. */
import type { StatePart, TokenEntry } from "../../state";
import { movedOn, revokedNotReplaced, SeveralFailures, TenancyError } from "../../problems";
import type { Outcome } from "../../resources";
import { removeToken } from "../entries/names";
import type { PlannedRun } from "../plan";
import type { PlannedObject } from "../planned-object";
import type { WriteTarget } from "../target";
import { loginOf, tokenKey } from "./identity";
import { forgetRefused, notedRefusals } from "./refusals";
import { failedRevocationsOf, revokeNoted } from "./revocations";

interface TokenWriteContext {
  readonly writeTarget: WriteTarget;
  readonly planned: PlannedRun;
}

/** The state was locked only after the plan: another run may have created or rotated the token since. */
export function requireSameStored(object: PlannedObject, part: StatePart): void {
  const { target, change } = object;
  if (storedEntryOf(object, part)?.record.serial !== storedEntryOf(object, target.part)?.record.serial)
    throw movedOn.error({
      noun: "token",
      key: change.title,
      what: "another run has created, rotated or revoked it",
    });
}

/**
 * Tries a token that is noted as refused once more before its successor is created, because the refusal may have been temporary. The
 * tokens that it replaced, and that are noted as refused, are tried, too.
 * @throws movedOn if the service no longer refuses one of them; its note is removed
 */
export async function requireStillRefused(
  object: PlannedObject,
  { writeTarget, planned }: TokenWriteContext,
): Promise<void> {
  const { target, change, rotation } = object;
  if (rotation?.compromised === true) return;
  const entry = storedEntryOf(object, writeTarget.part);
  if (entry === undefined || !target.refused.has(entry.record.serial)) return;
  const goodPredecessors = notedRefusals(writeTarget.part).get(entry.record.serial);
  if (goodPredecessors === undefined) return;
  const accepted: string[] = [];
  for (const { serial, access_token: token } of [entry.record, ...entry.previous]) {
    if (token === null || goodPredecessors.includes(serial)) continue;
    const { status } = await writeTarget.connection.client.callerAs({ kind: "bearer", token });
    if (status === 401) continue;
    accepted.push(`${serial} (${status})`);
    forgetRefused(writeTarget.part, entry, [serial]);
  }
  if (accepted.length === 0) return;
  await planned.run.state.save();
  throw movedOn.error(
    {
      noun: "token",
      key: change.title,
      what: `the service accepts or knows it after all: ${accepted.join(", ")}`,
    },
    { advice: () => "Run again: then the token is treated as valid, and no new one replaces it." },
  );
}

/** The stored entry of a token that is rotated because it is compromised. */
export function compromisedEntry(object: PlannedObject, part: StatePart): TokenEntry | undefined {
  return object.rotation?.compromised === true ? storedEntryOf(object, part) : undefined;
}

/** The stored entry of a declared token. */
function storedEntryOf(object: PlannedObject, { tokens }: StatePart): TokenEntry | undefined {
  const login = loginOf(object);
  const name = object.config["name"];
  return login !== undefined && typeof name === "string" ? tokens.get({ login, name }) : undefined;
}

/**
 * Replaces a compromised token. The old token and those before it are revoked in any case.
 * @param createNew creates the new one, and keeps it durably
 * @returns the new token; errors among the findings mean that an old one is still valid
 * @throws revokedNotReplaced, or the errors of creating and revoking
 */
export async function replaceCompromised(
  entry: TokenEntry,
  createNew: () => Promise<Outcome>,
  { planned, writeTarget: { connection, part } }: TokenWriteContext,
): Promise<Outcome> {
  const { state } = planned.run;
  const oldTokens = failedRevocationsOf(entry, connection.now());
  // If this run is interrupted, every later one continues to revoke.
  oldTokens.forEach((one) => part.failedRevocations.put(one));
  await state.save();
  const creation = await tried(createNew);
  // A new token that could not be kept has taken the notes with it.
  oldTokens.forEach((one) => part.failedRevocations.put(one));
  const { failures, warnings } = await revokeNoted(connection, part, oldTokens);
  if (!(creation instanceof TenancyError)) {
    return {
      ...creation,
      findings: [...creation.findings, ...warnings, ...failures.flatMap((failure) => failure.toFindings())],
    };
  }
  removeToken(part, entry);
  await state.save();
  if (failures.length > 0) throw new SeveralFailures([creation, ...failures]);
  const [, ...more] = creation.toFindings();
  throw revokedNotReplaced
    .error({ key: tokenKey(entry), failure: creation }, { cause: creation })
    .telling(more);
}

async function tried(createNew: () => Promise<Outcome>): Promise<Outcome | TenancyError> {
  try {
    return await createNew();
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
}
