/** Terraform did not begin as it should. */
export class InvalidHandshake extends Error {
  constructor(what: string) {
    super(what);
    this.name = "InvalidHandshake";
  }
}
