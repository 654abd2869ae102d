import { type ServerHttp2Stream } from "node:http2";
import { type CallContext } from "./method";

/** The call on one stream. Its signal is made when it is first asked for: most calls are over before anyone does. */
export class StreamCall implements CallContext {
  readonly #stream: ServerHttp2Stream;
  readonly #stop: AbortSignal;
  #signal: AbortSignal | undefined;

  /** @param stop aborted when all calls are to stop. */
  constructor(stream: ServerHttp2Stream, stop: AbortSignal) {
    this.#stream = stream;
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal();
    return this.#signal;
  }

  get isLost(): boolean {
    return this.#stream.aborted || this.#stream.destroyed;
  }

  #makeSignal(): AbortSignal {
    const givenUp = new AbortController();
    if (this.isLost) givenUp.abort();
    this.#stream.on("aborted", () => givenUp.abort());
    this.#stream.on("error", () => givenUp.abort());
    return AbortSignal.any([this.#stop, givenUp.signal]);
  }
}
