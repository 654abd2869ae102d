import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A live object has our uuid for a declared name, and another name. */
export class RenamedOutside extends TenancyError {
  static readonly code = "TENANCY_RENAMED_OUTSIDE";
  static readonly explanation = `
The uuid of a live object is the one that we gave to the declared name, but the object has another name now: somebody renamed it at the
service, or moved it to another account. Creating the declared one would clash with its uuid, and changing the other one could hit what
somebody else uses by now. Nothing was written. Give it its old name back at the service. Its uuid says what it was called when it was
made, so it cannot be adopted under another name.`;

  constructor(noun: string, declared: string, live: string, id: string, details: ErrorDetails = {}) {
    super(
      `${noun} ${JSON.stringify(declared)} was renamed outside this configuration: it is now ${JSON.stringify(live)} (id ${id})`,
      {
        advice: "Give it its old name back at the service, then plan again.",
        ...details,
      },
    );
  }
}
