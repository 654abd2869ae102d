import type { Path } from "../values";
import { ApiError, type ApiFacts } from "./api-error";
import type { Diagnostic, Whereabouts } from "./diagnostic";

/** One member that the service does not accept. */
export interface RefusedField {
  /** Where the member stands in the body, and so in the resource; empty where the service did not say. */
  readonly path: Path;
  /** Kind of failure, such as `missing`. */
  readonly type: string | undefined;
  /** What the service says of it, plain and without secrets. */
  readonly message: string;
}

/** Status 400: the service does not accept the body. Makes one diagnostic per field (spec 7). */
export class ValidationRefused extends ApiError {
  static readonly code = "TENANCY_API_VALIDATION";
  static readonly explanation = `
The service refused a request as invalid (status 400) and changed nothing. Each finding names the attribute that the service objects to, and
repeats its words. Where it names none, the request as a whole was refused: one common reason is a name that is already taken.`;

  readonly fields: readonly RefusedField[];

  constructor(facts: ApiFacts, fields: readonly RefusedField[]) {
    super("the service does not accept these values", facts, {
      advice: "Correct the values and run again.",
    });
    this.fields = fields;
  }

  override toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    if (this.fields.length === 0) return super.toDiagnostics(where);
    return this.fields.map(({ path, message }) => ({
      ...where,
      severity: "error",
      code: this.code,
      summary: `the service does not accept this value: ${message}`,
      detail: `${this.request.method} ${this.request.path} answered ${this.status ?? 400}.`,
      ...(this.advice !== undefined && { advice: this.advice }),
      ...(path.length > 0 && { attribute: [...(where.attribute ?? []), ...path] }),
    }));
  }
}
