/** Reports an apply while it runs: to people as text, to programs as events. */
import { version } from "../../../package.json";
import { type ApplyEvent, type ApplyResult, type Change, isNewImport, type Plan } from "../../plan";
import {
  appliedEvents,
  applyEvent,
  applyProgress,
  diagnosticEvent,
  type JsonEvent,
  jsonText,
  planEvents,
  versionEvent,
} from "../../render/json";
import { appliedText, eventLine, outputLines, planText, troubleText, underWayText } from "../../render/text";
import { filesText } from "../approvals";
import type { Listener } from "../documents";
import { diagnosticsOf, failureText } from "../failure";
import { type ApprovalNeeded, stateMoved } from "../../problems";
import { shownOn, type Terminal } from "../terminal";

type Started = Extract<ApplyEvent, { kind: "started" }>;

export interface Reporter extends Listener {
  /** Options of a plan by which it shows what it does. */
  readonly progress: ReturnType<typeof shownOn>;
  readonly planned: (plan: Plan) => void;
  readonly event: (event: ApplyEvent) => void;
  /** Called with a plan that lacks approvals. The missing files are data, to be pasted. */
  readonly unapproved: (error: ApprovalNeeded) => void;
  readonly applied: (outcome: {
    readonly result: ApplyResult;
    /** True if the plan was to destroy. */
    readonly destroy: boolean;
    /** The command to go on with if something is left to do. */
    readonly next: string;
  }) => void;
}

/** For verbs that only plan. */
export function listenerOf({ io, screen, all }: Terminal): Listener {
  return {
    failed: (error) => screen.tell(failureText(error, io, screen.talk, all)),
    skipped: (name, because) =>
      screen.tell(`${name}: not tried, because ${because} failed, which it depends on`),
  };
}

/** @param all whether the plan is shown without grouping (`--all`) */
export function reporterForPeople(terminal: Terminal, all = false): Reporter {
  const { screen } = terminal;
  const running = new Map<string, Started>();
  const beginnings = new Map<string, NodeJS.Timeout>();
  const reasons = new Map<Change, string>();
  let doneCount = 0;
  let total = 0;
  let unended = 0;
  let gap = "";
  return {
    ...listenerOf(terminal),
    unapproved(error) {
      screen.tell(failureText(error, terminal.io, screen.talk, all));
      const files = filesText(error.files);
      if (files !== "") screen.print(`\n${files.trimEnd()}`);
    },
    progress: shownOn(screen),
    planned(plan) {
      total = plan.changes.reduce((sum, { action }) => sum + DEEDS[action], 0);
      unended = plan.unended ?? 0;
      doneCount = 0;
      screen.print(`${gap}${planText(plan, screen.data, { all })}\n`);
      gap = "\n";
    },
    event(event) {
      const line = eventLine(event, screen.talk);
      if (event.kind === "skipped") reasons.set(event.change, event.reason);
      if (event.kind === "started") {
        const { address } = event.change;
        running.set(address, event);
        // A terminal shows the work in progress. Elsewhere a beginning is shown only if the end does not follow soon.
        if (!screen.live && line !== undefined)
          beginnings.set(address, setTimeout(() => screen.tellSoon(line), LONG_MS).unref());
      } else {
        if (event.kind === "finished" || event.kind === "failed") {
          running.delete(event.change.address);
          clearTimeout(beginnings.get(event.change.address));
          // Checked objects were not counted in the total.
          if (event.change.action !== "none") doneCount++;
        }
        const counter = !screen.live && total > 0 ? `[${doneCount}/${total}] ` : "";
        if (line !== undefined) screen.tellSoon(`${counter}${line}`);
      }
      if (running.size > 0) screen.progress(underWayText([...running.values()]), { done: doneCount, total });
    },
    applied({ result, next }) {
      for (const beginning of beginnings.values()) clearTimeout(beginning);
      const trouble = troubleText(result, screen.talk, (change) => reasons.get(change), all);
      if (trouble !== "") screen.tell(`\n${trouble}\n`);
      // A plan without changes has said so itself.
      if (total > 0 || result.applied.some(isNewImport) || !result.ok)
        screen.print(appliedText(result, unended));
      const outputs = result.outputs.filter(({ action }) => action !== "delete");
      if (outputs.length > 0)
        screen.print(["", "Outputs", ...outputLines(outputs).map((line) => `    ${line}`)].join("\n"));
      // The error of a state that moved names other commands, which come first.
      const hasMoved = result.diagnostics.some(({ code }) => code === stateMoved.code);
      if (!result.ok && !hasMoved) screen.tell(`Next: ${next}`);
    },
  };
}

/** After this time, the beginning of an object's change gets a line of its own. */
const LONG_MS = 1_000;

const DEEDS = { create: 1, update: 1, replace: 2, delete: 1, none: 0 } as const;

/** Between two events that say that something still goes on, as in Terraform. */
const PROGRESS_MS = 10_000;

export function reporterForPrograms({ io, screen }: Terminal): Reporter {
  const timers = new Map<string, NodeJS.Timeout>();
  const emit = (...events: readonly (JsonEvent | undefined)[]): void => {
    for (const event of events) if (event !== undefined) screen.print(jsonText(event));
  };
  const stopTimer = (address: string): void => {
    clearInterval(timers.get(address));
    timers.delete(address);
  };
  emit(versionEvent(version, new Date()));
  return {
    // The reason of a wait goes to the person at the terminal; the program's events are on stdout.
    progress: { onProgress: () => undefined, onWait: screen.showWait },
    skipped: () => undefined,
    failed(error) {
      emit(...diagnosticsOf(error, io).map((diagnostic) => diagnosticEvent(diagnostic, new Date())));
    },
    unapproved(error) {
      for (const diagnostic of diagnosticsOf(error, io)) {
        const detail = [diagnostic.detail, filesText(error.files)].filter((one) => one !== "").join("\n\n");
        emit(diagnosticEvent({ ...diagnostic, detail }, new Date()));
      }
    },
    planned: (plan) => emit(...planEvents(plan, new Date())),
    event(event) {
      if (event.kind === "started") timers.set(event.change.address, progressTimer(event, emit));
      if (event.kind === "finished" || event.kind === "failed") stopTimer(event.change.address);
      emit(applyEvent(event, new Date()));
    },
    applied({ result, destroy }) {
      for (const address of [...timers.keys()]) stopTimer(address);
      emit(...appliedEvents(result, destroy, new Date()));
    },
  };
}

function progressTimer({ change, operation }: Started, emit: (event: JsonEvent) => void): NodeJS.Timeout {
  const startedAt = performance.now();
  return setInterval(
    () => emit(applyProgress(change, operation, performance.now() - startedAt, new Date())),
    PROGRESS_MS,
  ).unref();
}
