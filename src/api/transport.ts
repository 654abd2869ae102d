/** Keeps the connections to one origin alive, through a proxy where the environment names one, with the trusted CA. */
import { X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { BlockList, isIP } from "node:net";
import type * as undici from "undici";
import type { Agent, Dispatcher } from "undici";
import { invalidSetting } from "../problems";
import { type Answer, exchange, FirstAnswer, type WireRequest } from "./exchange";
import type { Concealed } from "./identity";
import type { Clock } from "./limiter";

interface TransportSettings {
  readonly origin: string;
  /** PEM text of the certificates to trust in place of the public ones. */
  readonly ca?: string | undefined;
  readonly proxy?: Concealed<URL> | undefined;
  readonly requestTimeoutMs: number;
  /** Time for the first answer to any request. */
  readonly contactTimeoutMs: number;
  /** Connections kept at most. */
  readonly maxConcurrency: number;
  readonly clock: Pick<Clock, "monotonic">;
}

export class Transport {
  readonly #settings: TransportSettings;
  readonly #target: string;
  #dispatcher: Promise<Dispatcher> | undefined;
  #firstAnswer: FirstAnswer | undefined;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
    const proxy = settings.proxy?.reveal();
    this.#target = proxy ? `${settings.origin} through ${proxy.origin}` : settings.origin;
  }

  async exchange({
    fresh = false,
    ...request
  }: Omit<WireRequest, "timeoutMs" | "firstAnswer" | "target"> & {
    /**
     * Opens a new connection. The other side may just have closed a kept one, and a request that must not be repeated would then have no certain answer.
     */
    readonly fresh?: boolean | undefined;
  }): Promise<Answer> {
    const dispatcher = await (fresh ? this.#connect() : (this.#dispatcher ??= this.#connect()));
    try {
      return await exchange(dispatcher, {
        timeoutMs: this.#settings.requestTimeoutMs,
        firstAnswer: this.firstAnswer,
        target: this.#target,
        ...request,
      });
    } finally {
      if (fresh) await dispatcher.destroy();
    }
  }

  /** The time for the first answer begins with the first request. Until it has come, the address is probably wrong, and a long wait does not help. */
  get firstAnswer(): FirstAnswer {
    return (this.#firstAnswer ??= firstAnswerOf(this.#settings));
  }

  async close(): Promise<void> {
    const dispatcher = this.#dispatcher;
    this.#dispatcher = undefined;
    await (await dispatcher)?.destroy();
  }

  async #connect(): Promise<Dispatcher> {
    const { ca, requestTimeoutMs: timeout, maxConcurrency: connections } = this.#settings;
    return dispatcherThrough(this.#settings.proxy?.reveal(), { timeout, connections, ca });
  }
}

/** By clock, and by origin: the runs of several stacks of one service wait for its first answer once. */
const awaitedAnswers = new WeakMap<object, Map<string, FirstAnswer>>();

function firstAnswerOf({ clock, contactTimeoutMs, origin }: TransportSettings): FirstAnswer {
  const answers = awaitedAnswers.get(clock) ?? new Map<string, FirstAnswer>();
  awaitedAnswers.set(clock, answers);
  const earlier = answers.get(origin);
  // A process that lives on asks a silent service as if it were new after a minute.
  const isAwaited = earlier?.hasBegun === false && earlier.timeLeft > -60_000;
  const answer = isAwaited ? earlier : new FirstAnswer(clock, contactTimeoutMs);
  answers.set(origin, answer);
  return answer;
}

/**
 * Connections, through a proxy or without one. undici loads slowly, so it is loaded by the first request.
 * @param settings the time for a connection, in milliseconds; connections kept at most; certificates to trust in place of the public ones
 */
export function dispatcherThrough(
  proxy: URL | undefined,
  settings: { readonly timeout: number; readonly connections: number; readonly ca?: string | undefined },
): Dispatcher {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- Jest, which users' tests run in, refuses import()
  const { Agent, ProxyAgent } = require("undici") as typeof undici;
  const { ca, timeout, connections } = settings;
  const tls = { timeout, ...(ca !== undefined && { ca }) };
  // Time-outs are the exchange's own: undici's would not see how far a request had come.
  const options: Agent.Options = { connections, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) return new Agent({ ...options, connect: tls });
  return new ProxyAgent({
    ...options,
    uri: withoutUserInfo(proxy),
    requestTls: tls,
    proxyTls: { timeout },
    ...proxyAuthorization(proxy),
  });
}

function withoutUserInfo(proxy: URL): string {
  const url = new URL(proxy);
  url.username = url.password = "";
  return url.href;
}

function proxyAuthorization({ username, password }: URL): { token?: string } {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { token: `Basic ${Buffer.from(pair).toString("base64")}` };
}

// The route: direct, or through the proxy of the environment.

/** The values of `HTTPS_PROXY` and `NO_PROXY`. */
export interface ProxySettings {
  readonly https?: string | undefined;
  /** Host names (with their subdomains), addresses, `10.0.0.0/8`, each with `:port` or without; `*` for all. */
  readonly no?: string | undefined;
}

/** The proxy settings of an environment, in capitals or small letters (these win, as with curl). */
export function proxyFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): ProxySettings {
  return {
    https: environment["https_proxy"] || environment["HTTPS_PROXY"],
    no: environment["no_proxy"] || environment["NO_PROXY"],
  };
}

/**
 * The proxy for an origin. Plain http goes to this machine only, and never through a proxy.
 * @throws invalidSetting
 */
export function proxyFor(origin: string, settings: ProxySettings | undefined): URL | undefined {
  const address = settings?.https?.trim();
  const target = new URL(origin);
  if (!address || target.protocol !== "https:" || isExempt(target, settings?.no ?? "")) return undefined;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(text))
    throw invalidSetting.error({ setting: "HTTPS_PROXY", why: "it is not a valid URL" });
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalidSetting.error({ setting: "HTTPS_PROXY", why: `${url.protocol} proxies are not supported` });
  if (!isDecodable(url.username + url.password))
    throw invalidSetting.error({
      setting: "HTTPS_PROXY",
      why: "a % in its username or password must be written as %25",
    });
  return url;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

function isExempt(target: URL, exemptions: string): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const port = target.port === "" ? "443" : target.port;
  return exemptions
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [, name = entry, itsPort] = /^(.*?):(\d+)$/.exec(isIP(entry) === 6 ? "" : entry) ?? [];
      return (itsPort === undefined || itsPort === port) && covers(name.replace(/^\[|\]$/g, ""), host);
    });
}

function covers(entry: string, host: string): boolean {
  if (entry === "*") return true;
  const [network = "", prefix] = entry.split("/");
  if (prefix !== undefined) return inSubnet(network, Number(prefix), host);
  const name = entry.replace(/^\*?\./, "");
  return host === name || host.endsWith(`.${name}`);
}

function inSubnet(network: string, prefix: number, host: string): boolean {
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family) return false;
  if (!Number.isInteger(prefix) || prefix > (family === 4 ? 32 : 128)) return false;
  const subnet = new BlockList();
  const kind = family === 4 ? "ipv4" : "ipv6";
  subnet.addSubnet(network, prefix, kind);
  return subnet.check(host, kind);
}

// Certificates of `ca_file`.

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file, as text for {@link ClientOptions.ca}.
 * @throws invalidSetting if it cannot be read, or holds no certificate or a broken one
 */
export async function readCaFile(path: string): Promise<string> {
  const unfit = (why: string) => invalidSetting.error({ setting: "ca_file", why }, { file: path });
  const text = await read(path).catch((error: NodeJS.ErrnoException) => {
    throw unfit(WHY_UNREADABLE[error.code ?? ""] ?? `it cannot be read (${error.code ?? "unknown error"})`);
  });
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw unfit("it contains no certificate in PEM form");
  certificates.forEach((certificate, index) => {
    if (!isCertificate(certificate)) throw unfit(`certificate ${index + 1} in it is broken`);
  });
  return certificates.join("\n");
}

/** A fifo or a device would keep the run waiting. */
async function read(path: string): Promise<string> {
  const stats = await stat(path);
  if (!stats.isFile() && !stats.isDirectory()) throw Object.assign(new Error("unfit"), { code: "ENOTREG" });
  return readFile(path, "latin1");
}

const WHY_UNREADABLE: Record<string, string> = {
  ENOTREG: "it is not a regular file",
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
};

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
