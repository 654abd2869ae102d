/** What happens while a plan is applied, a line for each event. */
import type { ApplyEvent, Deed } from "../../apply";
import { plainText } from "../../values";
import type { Paint } from "./paint";

const WORDS: Readonly<
  Record<Deed, { readonly begun: string; readonly done: string; readonly noun: string }>
> = {
  create: { begun: "creating", done: "created", noun: "create" },
  update: { begun: "updating", done: "updated", noun: "update" },
  delete: { begun: "deleting", done: "deleted", noun: "delete" },
};

/** @returns undefined for events that the end of the apply tells of */
export function eventLine(event: ApplyEvent, { removed, faint }: Paint): string | undefined {
  switch (event.kind) {
    case "started":
      return `${of(event)}: ${WORDS[event.deed].begun} ${plainText(event.change.title)}`;
    case "finished": {
      const id = event.id === undefined ? "" : faint(` (${plainText(event.id)})`);
      return `${of(event)}: ${WORDS[event.deed].done} in ${seconds(event.milliseconds)}${id}`;
    }
    case "failed":
      return removed(`${of(event)}: ${WORDS[event.deed].noun} failed after ${seconds(event.milliseconds)}`);
    case "skipped":
    case "diagnostic":
    case "outputs":
      return undefined;
  }
}

/** What is under way right now, for one line that is written again and again. */
export function underWayText(
  running: readonly { readonly change: { readonly title: string }; readonly deed: Deed }[],
): string {
  return running.map(({ change, deed }) => `${WORDS[deed].begun} ${plainText(change.title)}`).join(", ");
}

function of({ change }: { readonly change: { readonly address: string } }): string {
  return plainText(change.address);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
