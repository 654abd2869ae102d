/** Connections to one origin: kept alive, through a proxy where there is one, with the CA that is trusted. */
import type * as undici from "undici";
import type { Agent, Dispatcher } from "undici";
import type { Concealed } from "./concealed";
import { exchange, type Answer, type WireRequest } from "./exchange";

export interface TransportSettings {
  readonly origin: string;
  /** PEM text of the certificates to trust in place of the public ones. */
  readonly ca?: string | undefined;
  readonly proxy?: Concealed<URL> | undefined;
  readonly requestTimeoutMs: number;
  /** Connections kept at most. */
  readonly maxConcurrency: number;
}

export type TransportRequest = Omit<WireRequest, "timeoutMs" | "target"> & {
  /**
   * Take a new connection: one that was kept may have been closed by the other side just now, which would leave a request
   * that must not be repeated without a certain answer.
   */
  readonly fresh?: boolean | undefined;
};

export class Transport {
  readonly #settings: TransportSettings;
  readonly #target: string;
  #kept: Promise<Dispatcher> | undefined;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
    const proxy = settings.proxy?.reveal();
    this.#target = proxy ? `${settings.origin} through ${proxy.origin}` : settings.origin;
  }

  async exchange({ fresh = false, ...request }: TransportRequest): Promise<Answer> {
    const dispatcher = await (fresh ? this.#connect() : (this.#kept ??= this.#connect()));
    try {
      return await exchange(dispatcher, {
        ...request,
        timeoutMs: this.#settings.requestTimeoutMs,
        target: this.#target,
      });
    } finally {
      if (fresh) await dispatcher.destroy();
    }
  }

  async close(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    await (await kept)?.destroy();
  }

  /** undici takes its time to load, so only whoever makes a request pays for it. */
  async #connect(): Promise<Dispatcher> {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- Jest, which users' tests run in, refuses import()
    const { Agent, ProxyAgent } = require("undici") as typeof undici;
    const { ca, requestTimeoutMs: timeout, maxConcurrency: connections } = this.#settings;
    const proxy = this.#settings.proxy?.reveal();
    const tls = { timeout, ...(ca !== undefined && { ca }) };
    // Time-outs are the exchange's own: undici's would not see how far a request had come.
    const options: Agent.Options = { connections, headersTimeout: 0, bodyTimeout: 0 };
    if (proxy === undefined) return new Agent({ ...options, connect: tls });
    return new ProxyAgent({
      ...options,
      uri: bare(proxy),
      requestTls: tls,
      proxyTls: { timeout },
      ...proxyAuthorization(proxy),
    });
  }
}

function bare(proxy: URL): string {
  const url = new URL(proxy);
  url.username = url.password = "";
  return url.href;
}

function proxyAuthorization({ username, password }: URL): { token?: string } {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { token: `Basic ${Buffer.from(pair).toString("base64")}` };
}
