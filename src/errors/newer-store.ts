import { TenancyError } from "./tenancy-error";

/** A newer release wrote the credential store. */
export class NewerStore extends TenancyError {
  static readonly code = "TENANCY_STORE_NEWER";
  static readonly explanation = `
The format of the credential store has a version. This store has a later one than this release knows, so reading on could lose what
the newer release keeps there. Nothing was written.`;

  constructor(store: string, found: number | bigint, known: number) {
    super(
      `the credential store ${store} has format version ${found}; this release knows versions up to ${known}`,
      {
        detail: "It was left untouched.",
        advice: "Update cdktf-provider-tenancy to the release that wrote it, or a later one.",
      },
    );
  }
}
