/** Speaks a host's REST API: JSON and downloads, with limits, and with patience for a host that does not answer at the moment. */
import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { dispatcherThrough, proxyFor, proxyFromEnvironment } from "../api";
import { hostFailed, unfitArchive, unfitPipeline } from "../problems";
import { type Environment, isObject, type ObjectValue, parseJson, type Value } from "../lib/values";

interface RestSettings {
  /** Name of the host, for messages. */
  readonly host: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly environment: Environment;
  readonly signal?: AbortSignal | undefined;
}

interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const ANSWER_TIMEOUT_MS = 30_000;
/** Bytes of the longest answer in JSON. */
const LONGEST_ANSWER = 16 * 2 ** 20;
/** Before each repetition, unless the host says how long; in milliseconds. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000];
const LONGEST_PAUSE_MS = 60_000;
/** The host, or something before it, is not well; the same request may succeed later. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);
const PAGE = 100;
const MOST_PAGES = 30;

export class Rest {
  readonly #settings: RestSettings;
  readonly #dispatchers = new Map<string, Dispatcher>();

  /** @throws unfitPipeline where the address is none */
  constructor(settings: RestSettings) {
    const { host, baseUrl } = settings;
    if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : ""))
      throw unfitPipeline.error({
        problem: `the address of ${host}'s API is no URL`,
        advice: "The host sets it; do not overwrite it.",
      });
    this.#settings = settings;
  }

  /** @throws hostFailed */
  async get(path: string): Promise<ObjectValue> {
    return this.#object("GET", path, await this.#repeated("GET", path));
  }

  /** All elements of a list; those behind the 3,000th are left out. @throws hostFailed */
  async list(path: string, member?: string): Promise<readonly ObjectValue[]> {
    const elements: ObjectValue[] = [];
    for await (const page of this.pages(path, member)) elements.push(...page);
    return elements;
  }

  /** The pages of a list, each asked for when it is needed. @throws hostFailed */
  async *pages(path: string, member?: string): AsyncGenerator<readonly ObjectValue[]> {
    for (let page = 1; page <= MOST_PAGES; page++) {
      const paged = `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE}&page=${page}`;
      const answer = this.#json("GET", path, await this.#repeated("GET", paged));
      const list = member === undefined ? answer : isObject(answer) ? answer[member] : undefined;
      if (!Array.isArray(list)) throw this.#failed("GET", path, "the answer is no list");
      yield (list as readonly Value[]).filter(isObject);
      if (list.length < PAGE) return;
    }
  }

  /**
   * Sends a change. One that may be made twice without harm is repeated while the host does not answer; another one is sent once.
   * @throws hostFailed
   */
  async send(method: "POST" | "PUT" | "PATCH", path: string, body: ObjectValue): Promise<ObjectValue> {
    const isRepeatable = method !== "POST" || path.includes("/statuses/");
    const text = JSON.stringify(body);
    const answer = isRepeatable
      ? this.#repeated(method, path, text)
      : this.#once(method, this.#url(path), text).catch((error: unknown) => {
          if (!(error instanceof Unanswered)) throw error;
          throw this.#failed(method, path, error.message, { isPassing: true });
        });
    return this.#object(method, path, this.#accepted(method, path, await answer));
  }

  /**
   * Searches for an object, and creates it if it does not exist. While the result of a create is unknown, both are repeated: the search shows the result.
   */
  async settled(lookAndWrite: () => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt++)
      try {
        return await lookAndWrite();
      } catch (error) {
        const pauseMs = PAUSES_MS[attempt];
        if (pauseMs === undefined || !hostFailed.is(error) || error.facts.isPassing !== true) throw error;
        await this.#wait(error.facts.retryAfterMs ?? pauseMs);
      }
  }

  /**
   * A file. Where the host sends the reader elsewhere, it goes without the token.
   * @param limit bytes
   * @returns undefined where there is none
   * @throws hostFailed, unfitArchive
   */
  async download(path: string, limit: number, archive: string): Promise<Buffer | undefined> {
    const answer = await this.#repeated("GET", path, undefined, { limit, archive, mayLack: true });
    return answer.status === 404 || answer.status === 410 ? undefined : answer.body;
  }

  async close(): Promise<void> {
    for (const dispatcher of this.#dispatchers.values()) await dispatcher.destroy();
    this.#dispatchers.clear();
  }

  // One request.

  #url(path: string): URL {
    return new URL(`${this.#settings.baseUrl}${path}`);
  }

  async #repeated(
    method: string,
    path: string,
    body?: string,
    download?: { readonly limit: number; readonly archive: string; readonly mayLack: boolean },
  ): Promise<RestAnswer> {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt === PAUSES_MS.length;
      let because: string;
      let waitMs = PAUSES_MS[attempt] ?? 0;
      try {
        const answer = await this.#followed(method, path, body, download);
        if (!PASSING.has(answer.status)) {
          if (download?.mayLack === true && (answer.status === 404 || answer.status === 410)) return answer;
          return this.#accepted(method, path, answer);
        }
        because = String(answer.status);
        waitMs = retryAfterMs(answer) ?? waitMs;
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        because = error.message;
      }
      if (isLast) throw this.#failed(method, path, because, { isRepeated: true });
      await this.#wait(waitMs);
    }
  }

  /** A download may be elsewhere, with another host's consent: the token is for this host alone. */
  async #followed(
    method: string,
    path: string,
    body?: string,
    download?: { readonly limit: number; readonly archive: string },
  ): Promise<RestAnswer> {
    const url = this.#url(path);
    const answer = await this.#once(method, url, body, download);
    const location = answer.headers["location"];
    if (answer.status < 300 || answer.status >= 400 || typeof location !== "string") return answer;
    const target = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
    const isSafe = target?.protocol === "https:" || target?.protocol === url.protocol;
    if (download === undefined || target === undefined || !isSafe)
      throw this.#failed(method, path, `${answer.status}, with an address that is not followed`);
    return this.#once("GET", target, undefined, { ...download, isElsewhere: true });
  }

  #once(
    method: string,
    url: URL,
    body?: string,
    download?: { readonly limit: number; readonly archive: string; readonly isElsewhere?: boolean },
  ): Promise<RestAnswer> {
    const { headers, signal } = this.#settings;
    const limit = download?.limit ?? LONGEST_ANSWER;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      let status = 0;
      let answerHeaders: RestAnswer["headers"] = {};
      let controller: Dispatcher.DispatchController | undefined;
      const fail = (error: Error): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        reject(error);
        controller?.abort(error);
      };
      const stop = (): void => fail(new Unanswered("the run was stopped"));
      let timer = setTimeout(() => fail(new Unanswered("it does not answer")), ANSWER_TIMEOUT_MS);
      signal?.addEventListener("abort", stop, { once: true });
      this.#dispatcher(url).dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: method,
          headers: {
            "user-agent": "tenancy",
            ...(download?.isElsewhere === true ? {} : headers),
            ...(body !== undefined && { "content-type": "application/json" }),
          },
          body: body ?? null,
        },
        {
          onRequestStart: (started) => {
            controller = started;
          },
          onResponseStart: (_, code, received) => {
            status = code;
            answerHeaders = received;
          },
          onResponseData: (_, chunk) => {
            chunks.push(chunk);
            bytes += chunk.length;
            clearTimeout(timer);
            timer = setTimeout(() => fail(new Unanswered("its answer stalls")), ANSWER_TIMEOUT_MS);
            if (bytes > limit)
              fail(
                download === undefined
                  ? this.#failed(method, url.pathname, "its answer is too long")
                  : unfitArchive.error({
                      archive: download.archive,
                      problem: `it is larger than ${limit / 2 ** 20} MiB`,
                    }),
              );
          },
          onResponseEnd: () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", stop);
            resolve({ status, headers: answerHeaders, body: Buffer.concat(chunks, bytes) });
          },
          onResponseError: (_, error) =>
            fail(new Unanswered(`no answer (${(error as NodeJS.ErrnoException).code ?? error.name})`)),
        },
      );
    });
  }

  #dispatcher(url: URL): Dispatcher {
    const known = this.#dispatchers.get(url.origin);
    if (known !== undefined) return known;
    const proxy = proxyFor(url.origin, proxyFromEnvironment(this.#settings.environment));
    const dispatcher = dispatcherThrough(proxy, { timeout: ANSWER_TIMEOUT_MS, connections: 4 });
    this.#dispatchers.set(url.origin, dispatcher);
    return dispatcher;
  }

  // Its answer.

  #accepted(method: string, path: string, answer: RestAnswer): RestAnswer {
    if (answer.status >= 200 && answer.status < 300) return answer;
    const text = answer.body.toString("utf8");
    const [, words] = /"message"\s*:\s*"([^"]{1,200})"/.exec(text) ?? [];
    throw this.#failed(
      method,
      path,
      words === undefined ? String(answer.status) : `${answer.status}, ${words}`,
      {
        isPassing: PASSING.has(answer.status),
        retryAfterMs: retryAfterMs(answer),
      },
    );
  }

  #json(method: string, path: string, answer: RestAnswer): Value {
    try {
      return answer.body.length === 0 ? {} : parseJson(answer.body.toString("utf8"));
    } catch {
      throw this.#failed(method, path, "the answer is not JSON");
    }
  }

  #object(method: string, path: string, answer: RestAnswer): ObjectValue {
    const value = this.#json(method, path, answer);
    if (!isObject(value)) throw this.#failed(method, path, "the answer is not a JSON object");
    return value;
  }

  async #wait(milliseconds: number): Promise<void> {
    const { signal } = this.#settings;
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
  }

  #failed(
    method: string,
    path: string,
    because: string,
    more: {
      readonly isRepeated?: boolean;
      readonly isPassing?: boolean;
      readonly retryAfterMs?: number | undefined;
    } = {},
  ): Error {
    const { host } = this.#settings;
    return hostFailed.error({ host, method, path: path.replace(/\?.*/s, ""), because, ...more });
  }
}

/** The wait that the host asks for. */
function retryAfterMs({ headers }: RestAnswer): number | undefined {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1_000, LONGEST_PAUSE_MS) : undefined;
}

/** The request has no answer; it may have been carried out. */
class Unanswered extends Error {}

/** @throws unfitPipeline if a variable of the host or the workflow is missing */
export function requiredVariable(
  environment: Environment,
  name: string,
  advice = "The host sets it.",
): string {
  const value = environment[name] ?? "";
  if (value === "") throw unfitPipeline.error({ problem: `${name} is not set`, advice });
  return value;
}

/** A text, or a number in digits; empty for anything else. */
export function wordOf(value: Value | undefined): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? String(value)
    : "";
}
