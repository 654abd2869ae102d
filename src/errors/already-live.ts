import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** What is to be created is live already, and ours. */
export class AlreadyLive extends TenancyError {
  static readonly code = "TENANCY_ALREADY_LIVE";
  static readonly explanation = `
An object is to be created, and one with its uuid exists: this owner made it before. Either its declaration moved to another address, or the
state of the engine does not know it, as after a lost or split state, or another run made it a moment ago. Nothing was sent. Under Terraform
a \`moved\` block tells the engine that a declaration moved, and an \`import\` block takes the object in. With the embedded engine, plan
again: it recognises what is ours.`;

  constructor(noun: string, key: string, id: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} exists already, and is ours (id ${id})`, {
      advice: "Plan again: it is recognised then.",
      ...details,
    });
  }
}
