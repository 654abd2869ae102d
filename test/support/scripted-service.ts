/** A service that answers what a test tells it to, over real connections. */
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A request as the service saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One answer, or what happens in place of an answer. */
export type Scripted = (response: ServerResponse, request: Seen) => void;

/** `GET /api/account` → its answers in turn; the last one stays. */
export type Script = Record<string, Scripted | readonly Scripted[]>;

export interface ScriptedService {
  readonly url: string;
  readonly port: number;
  /** Every request, in the order of arrival. */
  readonly seen: Seen[];
  /** Those of one route, such as `GET /api/account`. */
  requests(route: string): Seen[];
  close(): Promise<void>;
}

const open: ScriptedService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

export const SESSION = {
  access_token: "0/session-token-of-the-test",
  token_type: "Bearer",
  expires_in: 3600,
};

/** Starts a service; it ends with the test. Log-in works unless the script says otherwise. */
export async function startService(
  script: Script,
  tls?: { key: string; cert: string },
): Promise<ScriptedService> {
  const routes: Script = { "POST /api/oauth2/token": json(201, SESSION), ...script };
  const counts = new Map<string, number>();
  const seen: Seen[] = [];
  const server = tls ? createHttpsServer(tls) : createHttpServer();
  server.on("request", (request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, path: url, headers, body };
      seen.push(one);
      const route = `${method} ${url.split("?")[0] ?? ""}`;
      const answers = [routes[route] ?? json(404, { status: 404, message: "not found" })].flat();
      const count = counts.get(route) ?? 0;
      counts.set(route, count + 1);
      answers[Math.min(count, answers.length - 1)]?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const service: ScriptedService = {
    port,
    seen,
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    requests: (route) => seen.filter(({ method, path }) => `${method} ${path.split("?")[0] ?? ""}` === route),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  open.push(service);
  return service;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Scripted {
  return text(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

export function html(status: number, body: string): Scripted {
  return text(status, body, { "content-type": "text/html; charset=utf-8" });
}

export function text(status: number, body: string, headers: Record<string, string> = {}): Scripted {
  return (response) => response.writeHead(status, headers).end(body);
}

export function empty(status: number, headers: Record<string, string> = {}): Scripted {
  return (response) => response.writeHead(status, headers).end();
}

/** No answer, ever. */
export function hang(): Scripted {
  return () => undefined;
}

/** The connection breaks before an answer. */
export function reset(): Scripted {
  return (response) => response.socket?.resetAndDestroy();
}

/** The answer breaks off: fewer bytes than were promised. */
export function cutOff(status: number, body: string): Scripted {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "content-length": body.length + 100 });
    response.write(body, () => response.socket?.destroy());
  };
}
