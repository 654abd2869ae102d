/** Remembers tokens that have ended outside: the proof is noted, so that plans need not ask for it again (design: Tokens). */
import type { StatePart, TokenIdentity } from "../../state";
import { previousOf } from "../../resources";
import { type ObjectValue, textOf } from "../../lib/values";
import type { WriteTarget, ReadTarget } from "../target";

/** Notes tokens, current or previous ones, that the service was proven to refuse. */
export function noteRefused({ tokens }: StatePart, serials: readonly string[], at: Date): void {
  for (const entry of tokens.list()) {
    const { record, previous, refused: refusalNotes = [] } = entry;
    const notedSerials = new Set(refusalNotes.map(({ serial }) => serial));
    const newlyRefused = [record, ...previous].filter(
      ({ serial }) => serials.includes(serial) && !notedSerials.has(serial),
    );
    const notes = newlyRefused.map(({ serial }) => ({ serial, refused_at: at.toISOString() }));
    if (notes.length > 0) tokens.put({ ...entry, refused: [...refusalNotes, ...notes] });
  }
}

/** Notes a token that was found to have ended, and those of its previous ones that were found so with it. */
export function noteEnded(
  part: StatePart,
  { before, left: after }: { readonly before: ObjectValue; readonly left: ObjectValue | undefined },
  at: Date,
): void {
  const good = new Set(after === undefined ? [] : previousOf(after).map(({ serial }) => serial));
  const endedSerials = [before, ...previousOf(before)]
    .map(({ serial }) => serial)
    .filter((one) => !good.has(one));
  noteRefused(
    part,
    endedSerials.flatMap((serial) => textOf(serial) ?? []),
    at,
  );
}

/** Forgets such notes of tokens that the plan has tried, and that the service accepts after all. */
export function noteAccepted({ part: { tokens }, target }: Pick<WriteTarget, "part" | "target">): void {
  for (const entry of tokens.list()) {
    const { serial } = entry.record;
    const others = entry.refused?.filter((one) => one.serial !== serial);
    // Notes of this very run are newer than the plan.
    const isAccepted = notedRefusals(target.part).has(serial) && !target.refused.has(serial);
    if (others?.length !== entry.refused?.length && isAccepted)
      tokens.put({ ...entry, refused: others ?? [] });
  }
}

/** True if the state's notes on a token differ from the plan's trial of it. */
export function areTokenNotesOutdated({ part, refused: refusedSerials }: ReadTarget): boolean {
  const storedRefusals = notedRefusals(part);
  return part.tokens
    .list()
    .some(
      ({ record: { serial } }) => String(storedRefusals.get(serial)) !== String(refusedSerials.get(serial)),
    );
}

/** Notes the results of the plan's token checks. */
export function noteTried({ part, target, connection }: WriteTarget): void {
  for (const { record, previous } of part.tokens.list()) {
    const good = target.refused.get(record.serial);
    if (good === undefined) continue;
    const endedSerials = [record, ...previous]
      .map(({ serial }) => serial)
      .filter((one) => !good.includes(one));
    noteRefused(part, endedSerials, connection.now());
  }
  noteAccepted({ part, target });
}

/** Forgets such notes of some tokens, current or previous ones. */
export function forgetRefused({ tokens }: StatePart, token: TokenIdentity, serials: readonly string[]): void {
  const entry = tokens.get(token);
  if (entry?.refused === undefined) return;
  tokens.put({ ...entry, refused: entry.refused.filter(({ serial }) => !serials.includes(serial)) });
}

/** Serials of current tokens that are noted as refused, each with those of the tokens that it replaced and that may still be good. */
export function notedRefusals({ tokens }: StatePart): ReadonlyMap<string, readonly string[]> {
  return new Map(
    tokens.list().flatMap(({ record, previous, refused: refusalNotes = [] }) => {
      const notedSerials = new Set(refusalNotes.map(({ serial }) => serial));
      if (!notedSerials.has(record.serial)) return [];
      return [
        [record.serial, previous.map(({ serial }) => serial).filter((serial) => !notedSerials.has(serial))],
      ];
    }),
  );
}
