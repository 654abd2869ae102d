import { TenancyError } from "./tenancy-error";

/** A mistake of ours: something that no other error speaks of. */
export class Internal extends TenancyError {
  static readonly code = "TENANCY_INTERNAL";
  static readonly explanation = `
Something happened that Tenancy does not provide for: a bug in it, or a machine that is out of memory, disk or files. What was under way may
be partly done; the next plan shows how things stand. Please report it, with the message (which holds no secret) and the command.`;

  /** @param message of the exception, without secrets */
  constructor(message: string) {
    super(`something unexpected happened: ${message}`, {
      advice: "Run `tenancy plan` to see how things stand. Please report this.",
    });
  }
}
