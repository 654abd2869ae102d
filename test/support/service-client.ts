/** The barest of clients: what a test sends is what goes over the wire. */
import { request } from "undici";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came. */
  readonly text: string;
  /** Parsed; undefined where there was none. Tests know its shape. */
  readonly body: Body;
}

/** Whatever JSON holds: a test asks for what it expects, and fails where it isn't. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Body = any;

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
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: text === "" ? undefined : (JSON.parse(text) as Body),
    };
  };
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

export function bearer(token: string): string {
  return `Bearer ${token}`;
}
