/**
 * Stands between the runs and the service. Each run has a base address of its own on one origin, so that it is known whose a
 * request is, faults strike by the number of the request, and a run that was killed cannot send anything more.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { request as send } from "undici";
import type { Fault, Strike } from "../model/fault";
import type { ServiceTraits } from "../model/history";
import { act } from "../model/rival";
import type { Simulator } from "../../../src/lib/simulator";
import { withListsAltered, ECHO_STATUS, htmlOf } from "./answers";
import type { Exchange } from "./exchange";
import { commitsBetween, snapshotOf, type Commit, type Snapshot } from "./snapshot";

/** The traffic of one run. */
export interface Traffic {
  /** For the run's configuration. */
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
  /** Cuts the run off, for good, and waits for what the service is still doing for it. */
  end(): Promise<void>;
}

/** Keeps a request from reaching the service for as long as it likes; the run's other requests, and other runs, go on. */
export type Hold = (index: number) => Promise<void> | undefined;

/** Two names of one service. */
export type AddressName = "127.0.0.1" | "localhost";

export interface RunConditions {
  /** @default 127.0.0.1 */
  readonly address?: AddressName;
  readonly faults: readonly Fault[];
  /** Called synchronously when the run is killed: the moment at which its disk is to be looked at. */
  readonly onKill?: () => void;
  readonly hold?: Hold;
}

interface Run extends Traffic {
  readonly faults: readonly Fault[];
  readonly hold: Hold;
  readonly exchanges: Exchange[];
  readonly sockets: Set<Socket>;
  readonly onKill: () => void;
  count: number;
  ended: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const NOTHING: readonly Commit[] = [];

const OTP_HEADER = "x-service-otp";

export class Gateway {
  readonly #service: Simulator;
  readonly #trap: string;
  readonly #revokes: ServiceTraits["revokes"];
  readonly #server: Server;
  readonly #runs = new Map<string, Run>();
  /** Lists as they were when the last run began, by path. */
  #past = new Map<string, string>();
  #lists = new Map<string, string>();
  /** The service works on one request at a time, so that it is certain which of them did what. */
  #working: Promise<unknown> = Promise.resolve();

  private constructor(service: Simulator, trap: string, revokes: ServiceTraits["revokes"]) {
    this.#service = service;
    this.#revokes = revokes;
    this.#trap = trap;
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  /** @param trap another origin, for redirects */
  static async open(
    service: Simulator,
    trap: string,
    revokes: ServiceTraits["revokes"] = "as asked",
  ): Promise<Gateway> {
    const gateway = new Gateway(service, trap, revokes);
    await new Promise<void>((resolve) => gateway.#server.listen(0, "127.0.0.1", resolve));
    return gateway;
  }

  originAt(name: AddressName): string {
    return `http://${name}:${(this.#server.address() as AddressInfo).port}`;
  }

  begin({
    faults,
    address = "127.0.0.1",
    onKill = () => undefined,
    hold = () => undefined,
  }: RunConditions): Traffic {
    const name = `run-${this.#runs.size + 1}`;
    this.#past = this.#lists;
    this.#lists = new Map(this.#past);
    const run: Run = {
      baseUrl: `${this.originAt(address)}/${name}`,
      exchanges: [],
      faults,
      hold,
      sockets: new Set(),
      count: 0,
      ended: false,
      onKill,
      end: async () => {
        run.ended = true;
        for (const socket of run.sockets) socket.destroy();
        await this.#working;
      },
    };
    this.#runs.set(name, run);
    return run;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = "", path = ""] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? "") ?? [];
    const run = this.#runs.get(name);
    if (run === undefined || run.ended) return void request.socket.destroy();
    run.sockets.add(request.socket);
    const index = run.count++;
    // Who hangs up in the middle of a request has not asked for anything.
    const body = await textOf(request).catch(() => undefined);
    await run.hold(index);
    if (run.ended || body === undefined) return;
    const strike = run.faults.find(({ at, times }) => index >= at && index < at + times)?.strike;
    const task = this.#working.then(() =>
      this.#serve(run, { index, request, path, sent: body, strike }, response),
    );
    this.#working = task.catch(() => undefined);
    await task;
  }

  async #serve(run: Run, call: Call, response: ServerResponse): Promise<void> {
    if (run.ended) return;
    const { strike } = call;
    const { work, ...record } = await this.#work(call);
    let answer = work && withListsAltered(work, strike, this.#past.get(call.path));
    answer = standIn(strike, call, this.#trap) ?? answer;
    const heard = isCut(strike) ? undefined : answer;
    run.exchanges.push({
      index: call.index,
      method: call.request.method ?? "",
      path: call.path.split("?")[0] ?? "",
      sent: call.sent,
      strike,
      ...record,
      truth: work,
      status: heard?.status,
      answer: heard?.body ?? "",
    });
    if (strike?.kind === "kill") {
      run.ended = true;
      run.onKill();
      for (const socket of run.sockets) socket.destroy();
      return;
    }
    reply(strike, answer, response);
  }

  /** The work of the service, and the writes of others around it. */
  async #work(call: Call) {
    const { strike } = call;
    const rival = strike?.kind === "rival" ? strike : undefined;
    const start = snapshotOf(this.#service);
    if (rival?.after === false) act(this.#service, rival.rival);
    const before = snapshotOf(this.#service);
    const work = isForestalled(strike) ? undefined : await this.#forward(call);
    const after = snapshotOf(this.#service);
    if (rival?.after === true) act(this.#service, rival.rival);
    return {
      work,
      commits: work === undefined ? NOTHING : commitsBetween(before, after),
      rivals: { before: commitsBetween(start, before), after: this.#since(after) },
    };
  }

  #since(snapshot: Snapshot): readonly Commit[] {
    return commitsBetween(snapshot, snapshotOf(this.#service));
  }

  async #forward({ request, path, sent }: Call): Promise<Answer> {
    if (this.#revokes !== "as asked" && request.method === "DELETE" && path.startsWith("/api/authorization/"))
      return this.#revokes === "refuses"
        ? {
            status: 403,
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ status: 403, message: "nobody revokes tokens here" }),
          }
        : { status: 204, headers: {}, body: "" };
    const { authorization, "content-type": type, [OTP_HEADER]: otp } = request.headers;
    const method = request.method ?? "GET";
    const { statusCode, headers, body } = await send(this.#service.baseUrl + path, {
      method: method as "GET",
      headers: {
        ...(authorization && { authorization }),
        ...(type && { "content-type": type }),
        ...(otp && { [OTP_HEADER]: otp }),
      },
      ...(sent !== "" && { body: sent }),
    });
    const text = await body.text();
    if (method === "GET" && statusCode === 200) this.#lists.set(path, text);
    const headersToPass = ["content-type", "retry-after", "etag", OTP_HEADER].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    });
    return { status: statusCode, headers: Object.fromEntries(headersToPass), body: text };
  }
}

interface Call {
  readonly index: number;
  readonly request: IncomingMessage;
  readonly path: string;
  readonly sent: string;
  readonly strike: Strike | undefined;
}

/** True if the service is kept from doing its work. */
function isForestalled(strike: Strike | undefined): boolean {
  switch (strike?.kind) {
    case "status":
    case "echo":
    case "redirect":
      return true;
    case "reset":
    case "hang":
    case "kill":
      return !strike.committed;
    default:
      return false;
  }
}

/** True if the run does not get an answer whole. */
function isCut(strike: Strike | undefined): boolean {
  return ["reset", "hang", "kill", "truncated"].includes(strike?.kind ?? "");
}

/** The answer in place of the service's own. */
function standIn(
  strike: Strike | undefined,
  { request, path, sent }: Call,
  trap: string,
): Answer | undefined {
  switch (strike?.kind) {
    case "status":
      return {
        status: strike.status,
        headers: {
          "content-type": strike.html ? "text/html" : "application/json",
          ...(strike.retryAfter !== undefined && { "retry-after": String(strike.retryAfter) }),
        },
        body: strike.html
          ? htmlOf(strike.status)
          : JSON.stringify({ status: strike.status, message: "busy" }),
      };
    case "echo": {
      const message = `cannot: ${sent} ${request.headers.authorization ?? ""} ${encodeURIComponent(sent)}`;
      return {
        status: ECHO_STATUS,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ status: ECHO_STATUS, message }),
      };
    }
    case "redirect":
      return { status: 307, headers: { location: `${trap}${path}` }, body: "" };
    default:
      return undefined;
  }
}

function reply(strike: Strike | undefined, answer: Answer | undefined, response: ServerResponse): void {
  if (strike?.kind === "hang") return;
  if (strike?.kind === "reset" || answer === undefined) return void response.socket?.resetAndDestroy();
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, "content-length": body.length });
  if (strike?.kind === "truncated")
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
  else response.end(body);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
