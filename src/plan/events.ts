/** Defines the events of an apply. */
import type { Diagnostic } from "../problems";
import type { Change, OutputChange } from "./plan";

/** The change that is being made to an object. A replacement is a `delete` and then a `create`. */
export type Operation = "create" | "update" | "delete";

/** An event of a running apply. */
export type ApplyEvent =
  | { readonly kind: "started"; readonly change: Change; readonly operation: Operation }
  | {
      readonly kind: "finished";
      readonly change: Change;
      readonly operation: Operation;
      readonly id: string | undefined;
      readonly milliseconds: number;
    }
  | {
      readonly kind: "failed";
      readonly change: Change;
      readonly operation: Operation;
      readonly diagnostics: readonly Diagnostic[];
      readonly milliseconds: number;
    }
  /** An object that it depends on has failed, or the run was stopped. */
  | { readonly kind: "skipped"; readonly change: Change; readonly reason: string }
  | { readonly kind: "diagnostic"; readonly diagnostic: Diagnostic }
  | { readonly kind: "outputs"; readonly outputs: readonly OutputChange[] };

/** The result of an apply. */
export interface ApplyResult {
  /** True if every planned change was made. */
  readonly ok: boolean;
  /** The changes that were made, in the order in which they ended. */
  readonly applied: readonly Change[];
  /** The changes that failed, each with every reason. */
  readonly failed: readonly { readonly change: Change; readonly diagnostics: readonly Diagnostic[] }[];
  /** The changes that were not tried, because another one failed before or the run was stopped. */
  readonly notTried: readonly Change[];
  /** Evaluated again; empty if something failed, and after a destroy. */
  readonly outputs: readonly OutputChange[];
  /** Warnings, and errors that belong to no single object. */
  readonly diagnostics: readonly Diagnostic[];
}
