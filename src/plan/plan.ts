/** The plan of one stack: immutable data, made without a write and shown before one. */
import type { Diagnostic } from "../errors";
import type { Path } from "../values";
import type { AccessChange, Change, OutputChange, Retained } from "./change";

/** One service that the plan is for, as one provider configuration sees it. */
export interface Target {
  /** `tenancy` or `tenancy.alias`. */
  readonly provider: string;
  /** Origin of the service, `https://storage.example`. */
  readonly origin: string;
  readonly owner: string;
  /** Whether the owner's records are made under an owner key. */
  readonly keyed: boolean;
  /** Login, or account, that the run acts as. */
  readonly caller: string;
}

export interface Plan {
  readonly stack: string;
  readonly targets: readonly Target[];
  /** Whether it is the plan of `destroy`. */
  readonly destroy: boolean;
  /** Whether it is about a part of the stack only: `--only`, `--exclude`. */
  readonly partial: boolean;
  /** Whether nothing is deleted for not being declared: `--no-prune`. */
  readonly noPrune: boolean;
  /** Every declared object and every delete, in the order in which they will be applied; `none` included. */
  readonly changes: readonly Change[];
  readonly retained: readonly Retained[];
  readonly access: readonly AccessChange[];
  readonly outputs: readonly OutputChange[];
  /** Objects that were evaluated but are no resources of the service: `null_resource`, `terraform_data`, data sources. */
  readonly evaluated: readonly EvaluatedObject[];
  /** Errors make the plan unfit to be applied: the facade throws them; these are the warnings. */
  readonly warnings: readonly Diagnostic[];
  /** ISO 8601. */
  readonly plannedAt: string;
  readonly summary: Summary;
}

export interface EvaluatedObject {
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  /** May hold unknowns. Secrets included: never print these. */
  readonly values: unknown;
  /** Paths of what must not be shown. */
  readonly sensitive: readonly Path[];
  readonly constructPath: string | undefined;
}

export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly delete: number;
  readonly none: number;
  readonly retained: number;
  readonly adopted: number;
}

/** Whether applying the plan would change any object. */
export function hasChanges(plan: Plan): boolean {
  const { create, update, replace, delete: deletes } = plan.summary;
  return create + update + replace + deletes > 0;
}
