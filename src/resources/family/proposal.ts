import type { Diagnostic } from "../../errors";
import type { AttributeChange } from "../../schema";
import type { ObjectValue, Path } from "../../values";

/** What is planned for one object. Pure data; unknowns stand for what only the apply will tell. */
export interface Proposal {
  readonly action: "create" | "update" | "replace" | "none";
  /** Of the description's attributes, each. */
  readonly planned: ObjectValue;
  /** From prior to planned; for a create or replace, from nothing. */
  readonly changes: readonly AttributeChange[];
  /** The attributes that force a replacement. */
  readonly replacedBy: readonly Path[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ProposeContext {
  /**
   * Time by which rotated tokens are judged: the start of the plan in the embedded engine; under Terraform the note that the last
   * refresh left in private state, so that two plans of one run are the same.
   */
  readonly asOf: Date | undefined;
  /** The rights that the service showed as granted, where that was noted. @default those of the prior state */
  readonly granted?: readonly string[] | undefined;
  /** A name as messages may show it: one that comes from something sensitive is hidden. @default as it is */
  readonly titleOf?: ((name: string) => string) | undefined;
  /** Whether a token is to be replaced although its keepers are the same. @default false */
  readonly rotate?: boolean | undefined;
}
