/** What a walk through the stack has found: what a plan is made from. */
import type { Diagnostic } from "../../errors";
import type { EvaluatedObject, OutputChange } from "../../plan";
import type { ObjectValue } from "../../values";
import type { PlannedObject } from "./planned-object";
import type { Target } from "./target";

/** A declared object of a service that nobody asked. */
export interface ForeseenObject {
  readonly type: string;
  /** What is unknown in it reads `(known after apply)`. */
  readonly key: string;
  readonly address: string;
  /** Evaluated and checked; may hold unknowns. */
  readonly config: ObjectValue;
}

/** A stack, evaluated against its services. */
export interface Walked {
  /** Every declared object, also those that the run is not about. */
  readonly objects: readonly PlannedObject[];
  /** Where nobody is to be asked, what stands in for them. */
  readonly foreseen: readonly ForeseenObject[];
  /** Blocks that the run is not about, and of which it can therefore not be told what they declare. */
  readonly unread: readonly string[];
  readonly evaluated: readonly EvaluatedObject[];
  readonly outputs: readonly OutputChange[];
  readonly targets: readonly Target[];
  readonly diagnostics: readonly Diagnostic[];
  /** Addresses of data sources that are read during apply. */
  readonly deferred: ReadonlySet<string>;
  /** Addresses of what changes, and of what depends on that. */
  readonly changing: ReadonlySet<string>;
}
