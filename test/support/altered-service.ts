/** A gateway in front of a simulated service that changes some of its answers, or loses them. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Passing {
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

export interface Answered {
  readonly status: number;
  /** Parsed where it is JSON; undefined for none. */
  readonly body: unknown;
}

/** The answer to give in place of the service's own; "lost" cuts the connection after the service has done its work. */
export type Alter = (request: Passing, answer: Answered) => Answered | "lost";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** @returns the gateway's base URL; it ends with the test */
export async function alteredService(target: string, alter: Alter): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const text = Buffer.concat(chunks).toString();
      const { authorization, "content-type": type } = headers;
      void fetch(target + url, {
        method,
        headers: { ...(authorization && { authorization }), ...(type && { "content-type": type }) },
        ...(text !== "" && { body: text }),
      })
        .then(async (answer) => ({ status: answer.status, body: parsed(await answer.text()) }))
        .then((answer) => alter({ method, path: url, headers, body: parsed(text) }, answer))
        .then((answer) => {
          if (answer === "lost") return request.socket.destroy();
          response.writeHead(answer.status, { "content-type": "application/json" });
          return response.end(answer.body === undefined ? "" : JSON.stringify(answer.body));
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function parsed(text: string): unknown {
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}
