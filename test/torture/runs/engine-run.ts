/** One run of the embedded engine through its facade, and all that its user would see of it. */
import { inspect } from "node:util";
import {
  apply,
  close,
  plan,
  planSaved,
  savePlan,
  TenancyError,
  type ApplyEvent,
  type ApplyResult,
  type Diagnostic,
  type Plan,
  type PlanOptions,
  type StackSource,
} from "../../../src/engine";
import { appliedEvents, applyEvent, diagnosticEvent, planEvents } from "../../../src/render/json";
import {
  appliedText,
  diagnosticText,
  eventLine,
  paint,
  planText,
  troubleText,
} from "../../../src/render/text";
import type { Outcome, PlannedAction, RunVerb } from "../invariants/invariant";

export interface EngineJob {
  readonly verb: RunVerb;
  readonly source: StackSource;
  readonly options: PlanOptions;
  /** The plan to apply, for `apply FILE`. */
  readonly file: string | undefined;
}

const PLAIN = paint(false);

/** @param seen what the user sees, as it comes: also of a run that is abandoned */
export async function engineRun(job: EngineJob, seen: Sight): Promise<Outcome> {
  try {
    const made = await planned(job);
    seen.plan(made);
    if (job.verb === "plan") {
      const file = savePlan(made);
      seen.print(file);
      await close(made);
      return seen.outcome("ok", file);
    }
    const { signal } = job.options;
    const result = await apply(made, {
      ...(signal && { signal }),
      onEvent: (event) => seen.event(event),
    });
    seen.result(result);
    return seen.outcome(result.ok ? "ok" : "failed");
  } catch (error) {
    seen.error(error);
    return seen.outcome(error instanceof TenancyError ? "refused" : "crashed");
  }
}

function planned({ verb, source, options, file }: EngineJob): Promise<Plan> {
  return verb === "apply FILE"
    ? planSaved(file ?? "", source.outdir, options)
    : plan(source, { ...options, destroy: verb === "destroy" });
}

export function actionsOf(made: Plan): readonly PlannedAction[] {
  return made.changes.map(({ address, action, key, description, attributes, sighting }) => ({
    type: description.type as PlannedAction["type"],
    address,
    action,
    key,
    shown: inspect(
      [sighting?.id, sighting?.uuid, attributes.map(({ path, before, after }) => [path, before, after])],
      {
        depth: 10,
      },
    ),
  }));
}

export class Sight {
  readonly #printed: string[] = [];
  readonly #codes: string[] = [];
  readonly #failures: Outcome["failures"][number][] = [];
  #planned: readonly PlannedAction[] = [];

  print(...texts: readonly string[]): void {
    this.#printed.push(...texts);
  }

  plan(made: Plan): void {
    this.#planned = actionsOf(made);
    this.print(planText(made, PLAIN), JSON.stringify(planEvents(made, new Date()), bigintsToo));
    this.#diagnostics(made.warnings);
  }

  event(event: ApplyEvent): void {
    if (event.kind === "failed") {
      this.#failures.push({ address: event.change.address, deed: event.deed });
      this.#diagnostics(event.diagnostics);
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
      ...(file !== undefined && { file }),
    };
  }

  #diagnostics(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity === "error") this.#codes.push(diagnostic.code);
      this.print(
        diagnosticText(diagnostic, PLAIN),
        JSON.stringify(diagnosticEvent(diagnostic, new Date()), bigintsToo),
      );
    }
  }
}

function bigintsToo(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
