import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An import block names another object than the one that the configuration declares. */
export class ImportMismatch extends TenancyError {
  static readonly code = "TENANCY_IMPORT_MISMATCH";
  static readonly explanation = `
An \`import\` block takes an existing object in under the name that the configuration gives it. Here the two are not the same object: the id
leads to one, the declared name to another or to none. Importing does not rename. Declare the name that the object has, or import the object
that has the declared name.`;

  constructor(
    noun: string,
    id: string,
    found: string,
    declared: string | undefined,
    details: ErrorDetails = {},
  ) {
    super(
      `the import block's ${JSON.stringify(id)} is the ${noun} ${JSON.stringify(found)}, which is not what is declared`,
      {
        ...(declared !== undefined && {
          detail: `What is declared, ${JSON.stringify(declared)}, exists too.`,
        }),
        advice: `Declare the name ${JSON.stringify(found)}, or import another object.`,
        ...details,
      },
    );
  }
}
