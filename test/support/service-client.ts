/** A client that adds nothing: what a test sends goes over the wire as it is. */
import { request } from "undici";

/** A record in an answer: what tests pick out of it, and everything else. */
export interface Shown {
  readonly id: string;
  readonly serial: string;
  readonly uuid: string;
  readonly seq: number;
  readonly mtime: number;
  readonly admin_profile_id: string;
  readonly access_token: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came. */
  readonly text: string;
  /** The answer where it is one record; an empty one where there was no body. */
  readonly body: Shown;
  /** The answer where it is a list. */
  readonly list: readonly Shown[];
}

export interface ServiceClient {
  (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

/**
 * @param authorization header of that name, see {@link basic} and {@link bearer}; none for an anonymous client
 * @returns a function that sends one request to a path below `/api`; a string as body goes out as it is, all else as JSON
 */
export function serviceClient(baseUrl: string, authorization?: string): ServiceClient {
  return async (method, path, body, headers = {}) => {
    const response = await request(`${baseUrl}/api${path}`, {
      method: method as "GET",
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.body.text();
    const parsed: unknown = text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : {};
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: parsed as Shown,
      list: parsed as readonly Shown[],
    };
  };
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

export function bearer(token: string): string {
  return `Bearer ${token}`;
}
