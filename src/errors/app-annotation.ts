import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The app itself marked a construct as wrong. */
export class AppAnnotation extends TenancyError {
  static readonly code = "TENANCY_APP_ANNOTATION";
  static readonly explanation = `
A construct of the app added a remark with \`Annotations.of(construct).addError\` or \`addWarning\`. Errors stop the run before
anything is sent; warnings are passed on.`;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
  }
}
