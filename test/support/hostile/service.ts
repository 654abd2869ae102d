/** Stands before a simulated service, and changes the text of its answers. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { request as send } from "undici";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface HostileService {
  readonly baseUrl: string;
  alter: (route: string, answer: Answer) => Answer;
  close(): Promise<void>;
}

/** @param target base URL of the service; its answers pass unchanged until `alter` is set */
export async function hostileService(target: string): Promise<HostileService> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "" } = request;
      void send(target + url, {
        method: method as "GET",
        headers: passed(request.headers),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
        .then(async ({ statusCode: status, body }) => ({ status, text: await body.text() }))
        .then(({ status, text }) => service.alter(`${method} ${url}`, { status, headers: {}, text }))
        .then(({ status, headers, text }) => {
          response.writeHead(status, { "content-type": "application/json", ...headers });
          response.end(status === 204 ? undefined : text);
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: HostileService = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alter: (_route, answer) => answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

function passed({ authorization, "content-type": type }: IncomingHttpHeaders): Record<string, string> {
  return { ...(authorization && { authorization }), ...(type && { "content-type": type }) };
}
