/** Bytes that are not what the protocol says they are. */
export class Malformed extends Error {
  constructor(what: string) {
    super(what);
    this.name = "Malformed";
  }
}
