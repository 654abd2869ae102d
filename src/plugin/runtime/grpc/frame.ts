/** gRPC's frame around each message: a byte that says whether it is compressed, and four for its length. */
import { RpcFailure } from "./rpc-failure";
import { status } from "./status";

const HEADER = 5;

/** The longest message taken in: 256 MiB, many times the greatest state of one resource. */
export const LONGEST_MESSAGE = 256 * 2 ** 20;

export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEADER);
  return framed;
}

/** Collects the body of a call that has one message to send. */
export class MessageCollector {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** @throws RpcFailure where more comes than a message may hold. */
  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > HEADER + LONGEST_MESSAGE) {
      throw new RpcFailure(status.resourceExhausted, "the message is too long");
    }
    this.#chunks.push(chunk);
  }

  /**
   * The message, once all has come.
   * @throws RpcFailure where the body is not exactly one plain message.
   */
  message(): Uint8Array {
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    if (body.length < HEADER) throw new RpcFailure(status.internal, "the call ends before its message");
    if (body[0] !== 0) throw new RpcFailure(status.unimplemented, "compressed messages are not supported");
    if (body.readUInt32BE(1) !== body.length - HEADER) {
      throw new RpcFailure(status.internal, "the call's body is not one whole message");
    }
    return body.subarray(HEADER);
  }
}
