/** Stands before a simulated service. Says more than it should, and repeats in its errors all that it was told. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { request as send } from "undici";
import { UNASKED } from "./secrets";

export const MOODS = [
  "well",
  "refuses with the request",
  "fails with a page",
  "fails with the request",
  "answers what is no JSON",
  "redirects with the request",
  "breaks off",
  "refuses the log-in with the request",
  "forgets the session",
] as const;

export type Mood = (typeof MOODS)[number];

interface Told {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** All that the request said, in the spellings that a service might repeat it in. */
  readonly echo: string;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export class EchoingService {
  mood: Mood = "well";
  /** Requests as text, headers included. */
  readonly told: string[] = [];
  /** Tokens that the service made. */
  readonly tokens = new Set<string>();
  readonly #server: Server;

  private constructor(readonly target: string) {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async open(target: string): Promise<EchoingService> {
    const service = new EchoingService(target);
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const told = await toldBy(request);
    this.told.push(told.echo);
    const answer = answerIn(this.mood, told) ?? (await this.#pass(request, told));
    if (answer === "none") return void request.socket.destroy();
    const { status, headers, body } = answer;
    response.writeHead(status, {
      "content-type": "application/json",
      "set-cookie": `session=${encodeURIComponent(UNASKED)}`,
      "x-debug": encodeURIComponent(told.echo),
      ...headers,
    });
    response.end(body);
  }

  async #pass({ headers }: IncomingMessage, { method, path, body }: Told): Promise<Answer> {
    const { host: _, connection: __, "content-length": ___, ...passed } = headers;
    const answer = await send(this.target + path, {
      method: method as "GET",
      headers: passed,
      ...(body !== "" && { body }),
    });
    const text = await answer.body.text();
    for (const [, token = ""] of text.matchAll(/"access_token":"([^"]+)"/g)) this.tokens.add(token);
    return { status: answer.statusCode, headers: otpHeader(answer.headers), body: talkative(text) };
  }
}

function otpHeader({ "x-service-otp": otp }: Readonly<Record<string, unknown>>): Record<string, string> {
  return typeof otp === "string" ? { "x-service-otp": otp } : {};
}

async function toldBy(request: IncomingMessage): Promise<Told> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk as string;
  const { method = "", url: path = "", headers } = request;
  const { authorization = "" } = headers;
  const [, base64 = ""] = /^basic (.*)/i.exec(authorization) ?? [];
  const basic = Buffer.from(base64, "base64").toString();
  const parts = [body, ...textsIn(parsed(body)), authorization, basic, String(headers["x-service-otp"])];
  const echo = [
    ...parts,
    Buffer.from(body).toString("base64"),
    Buffer.from(parts.join(":")).toString("base64url"),
    encodeURIComponent(body),
  ].join(" | ");
  return { method, path, body, echo };
}

function answerIn(mood: Mood, { method, path, echo }: Told): Answer | "none" | undefined {
  if (path === "/api/oauth2/token")
    return mood === "refuses the log-in with the request" ? refusal(401, echo) : undefined;
  const writes = method !== "GET";
  switch (mood) {
    case "refuses with the request":
      return writes ? refusal(400, echo) : undefined;
    case "fails with a page":
      return { status: 500, headers: { "content-type": "text/html" }, body: pageOf(echo) };
    case "fails with the request":
      return writes ? refusal(500, echo) : undefined;
    case "answers what is no JSON":
      return { status: writes ? 201 : 200, body: echo };
    case "redirects with the request":
      return {
        status: 307,
        headers: { location: `http://localhost:1/?${encodeURIComponent(echo)}` },
        body: echo,
      };
    case "breaks off":
      return writes ? "none" : undefined;
    case "forgets the session":
      return refusal(401, echo);
    default:
      return undefined;
  }
}

/** As the spec has it (section 7), with what was refused. */
function refusal(status: number, echo: string): Answer {
  const body = {
    status,
    message: `not so: ${echo}`,
    type: "validation",
    errors: [
      { type: "bad", field: "/password", msg: echo },
      { type: echo, field: `/${echo}`, msg: "no" },
    ],
  };
  return { status, body: JSON.stringify(body) };
}

function pageOf(echo: string): string {
  const escaped = echo.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<html><head><title>${escaped}</title></head><body><h1>Failed</h1><pre>${escaped}</pre>${echo}</body></html>`;
}

/** What the service verifies by, in answers where none should be (spec 2.2, 2.3). */
function talkative(text: string): string {
  const answer = parsed(text);
  if (answer === undefined) return text;
  for (const record of [answer].flat()) {
    if (typeof record !== "object" || record === null) continue;
    const members = record as Record<string, unknown>;
    for (const name of ["primary_contact", "billing_contact"])
      if (members[name])
        Object.assign(members[name], { phone: { token: UNASKED }, email: { token: UNASKED } });
    if (members["sms"]) Object.assign(members["sms"], { token: UNASKED });
    Object.assign(members, { debug: UNASKED, password: UNASKED });
  }
  return JSON.stringify(answer);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
