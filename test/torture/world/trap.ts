/** Another origin, which no request of ours may ever reach. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Trap {
  readonly origin: string;
  /** Request lines, headers and bodies that arrived. */
  readonly caught: readonly string[];
  close(): Promise<void>;
}

export async function openTrap(): Promise<Trap> {
  const caught: string[] = [];
  const server = createServer((request, response) => {
    caught.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    request.on("data", (chunk: Buffer) => caught.push(chunk.toString()));
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caught,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
