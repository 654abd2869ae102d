/** The end of a create or update: a state, and what the user has to know. */
import { asWarning, TenancyError, UuidIgnored, WrittenUnread, type Diagnostic } from "../../errors";
import type { CommonRecord } from "../../api";
import type { Attributes } from "../../schema";
import { valueAt, withValueAt, type ObjectValue } from "../../values";
import type { Outcome, Records } from "../family";
import { bodyOfRights, grantedIn, keepsUndeclared } from "../permissions";
import { isKnownRight } from "../rights";
import { askedOnCreate, mismatches, notTaken, type Asked, type Mismatch } from "./compare";
import { settled } from "./fill";
import { readUntil } from "./read-again";
import { idOf } from "./seek";

export interface Written {
  readonly noun: string;
  /** Natural key, for messages. */
  readonly text: string;
  readonly attributes: Attributes;
  readonly planned: ObjectValue;
  /** What the answer showed; undefined where it was no whole record. */
  readonly first: Records | undefined;
  /** Reads it again. */
  readonly look: () => Promise<Records>;
  readonly stateOf: (records: Records, remembered: ObjectValue | null) => ObjectValue;
}

/** A create, which may have to take rights away that the service granted and no body could name. */
export interface WrittenAnew extends Written {
  readonly config: ObjectValue;
  /** Takes rights away from the user whom the permissions are declared for. */
  readonly deny: (records: Records, body: ObjectValue) => Promise<unknown>;
}

/** After a 201 nothing is an error: state holds what was asked, and what the service made of it is a warning. */
export async function outcomeOfCreate(
  written: WrittenAnew,
  created: { readonly record: CommonRecord; readonly uuid: string },
): Promise<Outcome> {
  const { noun, text, attributes, planned } = written;
  const asked = askedOnCreate(attributes, planned);
  const { first, undenied } = await withoutUnknownRights(written);
  const { records, amiss, unread } = await seen({ ...written, first }, { self: created.record }, asked);
  const diagnostics: Diagnostic[] = [...undenied, ...unread];
  for (const mismatch of amiss)
    if (mismatch.attribute.constraints.format !== "uuid")
      diagnostics.push(...asWarning(notTaken(noun, text, mismatch)));
  const live = records.self["uuid"];
  if (typeof live === "string" && live.toLowerCase() !== created.uuid.toLowerCase())
    diagnostics.push(...new UuidIgnored(noun, text, idOf(created.record)).toDiagnostics());
  return { state: settled(attributes, planned, written.stateOf(records, null)), records, diagnostics };
}

/**
 * Declared permissions are exact, and the body of a create names only the rights that this version knows: a right besides them that the
 * service grants is taken away at once.
 *
 * @returns what the service showed, where that is still true
 */
async function withoutUnknownRights(
  written: WrittenAnew,
): Promise<{ readonly first: Records | undefined; readonly undenied: readonly Diagnostic[] }> {
  const { noun, text, attributes, planned, config, first, look, deny } = written;
  if ((config["permissions"] ?? null) === null || keepsUndeclared(planned)) return { first, undenied: [] };
  // A look that fails is tried again, and told, when the answer is compared with what was asked.
  const records = first ?? (await look().catch(() => undefined));
  if (records === undefined) return { first, undenied: [] };
  const rights = grantedIn(attributes, records).filter((right) => !isKnownRight(right));
  if (rights.length === 0) return { first: records, undenied: [] };
  try {
    await deny(records, bodyOfRights(Object.fromEntries(rights.map((right) => [right, false]))));
    return { first: undefined, undenied: [] };
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    return { first: records, undenied: asWarning(new WrittenUnread(noun, text, error.message)) };
  }
}

/** What the service did not take is an error at its attribute, and live in the state. */
export async function outcomeOfUpdate(
  written: Written,
  prior: ObjectValue,
  asked: readonly Asked[],
): Promise<Outcome> {
  const { noun, text, attributes, planned } = written;
  const { records, amiss, unread } = await seen(written, { self: {} }, asked);
  const live = written.stateOf(records, prior);
  let state = settled(attributes, planned, live);
  const diagnostics: Diagnostic[] = [...unread];
  for (const mismatch of amiss) {
    diagnostics.push(...notTaken(noun, text, mismatch).toDiagnostics());
    state = withValueAt(state, mismatch.path, valueAt(live, mismatch.path)) as ObjectValue;
  }
  return { state, records, diagnostics };
}

/** What the service shows, and what of it is not as it was asked for. */
interface Sight {
  readonly records: Records;
  readonly amiss: readonly Mismatch[];
  /** Why it could not be read, where that is so. */
  readonly unread: readonly Diagnostic[];
}

async function seen(
  { noun, text, attributes, planned, first, look }: Written,
  fallback: Records,
  asked: readonly Asked[],
): Promise<Sight> {
  const judged = (records: Records, unread: readonly Diagnostic[] = []): Sight => ({
    records,
    amiss: mismatches(attributes, planned, asked, records),
    unread,
  });
  try {
    return await readUntil(
      first && judged(first),
      async () => judged(await look()),
      ({ amiss }) => amiss.length === 0,
    );
  } catch (error) {
    const why = error instanceof TenancyError ? error.message : "an unexpected failure";
    return judged(first ?? fallback, asWarning(new WrittenUnread(noun, text, why)));
  }
}
