import { TenancyError } from "./tenancy-error";

/** A write during what must only read. */
export class ReadOnly extends TenancyError {
  static readonly code = "TENANCY_READ_ONLY";
  static readonly explanation = `
Planning sends nothing but GET and log-in, and this is enforced where requests are made. If you see this, a part of this program tried to
write while planning: nothing was sent. Please report it.`;

  constructor(method: string, path: string) {
    super(`${method} ${path} is a write, and this run only reads`, {
      advice: "Nothing was sent. This is a bug: please report it.",
    });
  }
}
