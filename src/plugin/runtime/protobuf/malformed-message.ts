/** Bytes that are no Protocol Buffers message. */
export class MalformedMessage extends Error {
  constructor(what: string) {
    super(what);
    this.name = "MalformedMessage";
  }
}
