/** All that the user of a run of the engine would see of it: as people, and as programs are told. */
import { inspect } from "node:util";
import { TenancyError, type Diagnostic } from "../../../src/problems/problem";
import type { ApplyEvent, ApplyResult } from "../../../src/plan/events";
import type { Plan } from "../../../src/plan/plan";
import { appliedEvents, applyEvent, diagnosticEvent, planEvents } from "../../../src/render/json";
import { appliedText, eventLine, paint, planText, troubleText } from "../../../src/render/text";
import { diagnosticText } from "../../../src/render/text/diagnostics";
import type { Failure, Listed, Outcome, PlannedAction } from "../invariants/invariant";
import { toldIn } from "./json-events";

const PLAIN = paint(false);

export class Sight {
  readonly #printed: string[] = [];
  readonly #codes: string[] = [];
  readonly #failures: Failure[] = [];
  #planned: readonly PlannedAction[] = [];
  #listed: Outcome["listed"] = [];

  #listener: () => void = () => undefined;

  /** @param listener called before anything that happens is told */
  onEvent(listener: () => void): void {
    this.#listener = listener;
  }

  print(...texts: readonly string[]): void {
    this.#printed.push(...texts);
  }

  plan(made: Plan): void {
    this.#planned = actionsOf(made);
    const events = planEvents(made, new Date()).map((event) => JSON.stringify(event, bigintsToo));
    const { listed } = toldIn(events.join("\n"));
    this.#listed = listed.map((one) => ({ ...one, ...shownOf(one, this.#planned) }));
    this.print(planText(made, PLAIN), ...events);
    this.#diagnostics(made.warnings);
  }

  event(event: ApplyEvent): void {
    this.#listener();
    if (event.kind === "failed") {
      const { change, operation, diagnostics } = event;
      this.#failures.push({ address: change.address, operation, codes: codesOf(diagnostics) });
      this.#diagnostics(diagnostics);
    }
    this.print(
      eventLine(event, PLAIN) ?? "",
      JSON.stringify(applyEvent(event, new Date()), bigintsToo) ?? "",
    );
  }

  result(result: ApplyResult): void {
    this.#diagnostics(result.diagnostics);
    this.print(
      appliedText(result),
      troubleText(result, PLAIN),
      JSON.stringify(appliedEvents(result, false, new Date()), bigintsToo),
    );
  }

  /** As it is reported, and as a crash would show it. */
  error(error: unknown): void {
    this.print(inspect(error, { depth: 10, showHidden: true }));
    if (error instanceof TenancyError) this.#diagnostics(error.toDiagnostics());
  }

  outcome(end: Outcome["end"], file?: string): Outcome {
    return {
      end,
      codes: this.#codes,
      failures: this.#failures,
      printed: this.#printed,
      planned: this.#planned,
      listed: this.#listed,
      ...(file !== undefined && { file }),
    };
  }

  #diagnostics(diagnostics: readonly Diagnostic[]): void {
    this.#codes.push(...codesOf(diagnostics));
    for (const diagnostic of diagnostics)
      this.print(
        diagnosticText(diagnostic, PLAIN),
        JSON.stringify(diagnosticEvent(diagnostic, new Date()), bigintsToo),
      );
  }
}

function codesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.flatMap(({ severity, code }) => (severity === "error" ? [code] : []));
}

function actionsOf(made: Plan): readonly PlannedAction[] {
  return made.changes.map(({ address, action, key, description, attributes, observedRecord }) => ({
    type: description.type as PlannedAction["type"],
    address,
    action,
    key,
    shown: inspect(
      [
        observedRecord?.id,
        observedRecord?.uuid,
        attributes.map(({ path, before, after }) => [path, before, after]),
      ],
      {
        depth: 10,
      },
    ),
  }));
}

function bigintsToo(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function shownOf({ type, key }: Listed, planned: readonly PlannedAction[]): Pick<Listed, "shown"> {
  const text = planned.find((one) => one.type === type && one.key === key)?.shown;
  return text === undefined ? {} : { shown: text };
}
