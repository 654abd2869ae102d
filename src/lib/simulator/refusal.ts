/** Refusals of the service, and their answers (spec 7). */

/** One parameter in error, as the service reports it (spec 7). */
export interface FieldError {
  /** Kind of failure, for example "missing". */
  readonly type: string;
  /** JSON pointer, for example "/limits/vss_num". */
  readonly field: string;
  readonly msg: string;
}

/** Thrown anywhere in the service; the server turns it into the answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: { readonly type?: string; readonly errors?: readonly FieldError[] } = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get body(): unknown {
    return { status: this.status, message: this.message, ...this.details };
  }
}

export function invalid(errors: readonly FieldError[]): Refusal {
  return new Refusal(400, "parameter validation failure", { type: "validation", errors });
}

export function authenticationRefusal(
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal(401, message, {}, { "WWW-Authenticate": 'Basic realm="storage", Bearer', ...headers });
}

export function accessRefusal(message: string): Refusal {
  return new Refusal(403, message);
}
