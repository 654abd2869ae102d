/** A real proxy, which makes tunnels. */
import { connect, createServer, type AddressInfo } from "node:net";

export interface Proxy {
  readonly address: string;
  /** The heads of the requests that came. */
  readonly asked: readonly string[];
  close(): Promise<unknown>;
}

/**
 * Tunnels whatever is asked for to one port of this machine.
 * @param refusal a status line's end by which every request is answered instead
 */
export async function startProxy(port: number, refusal?: string): Promise<Proxy> {
  const asked: string[] = [];
  const server = createServer((client) => {
    client.on("error", () => undefined);
    client.once("data", (head) => {
      asked.push(head.toString("latin1"));
      if (refusal !== undefined) {
        client.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const upstream = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      upstream.on("error", () => client.destroy());
      client.on("close", () => upstream.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, address, close: () => new Promise((resolve) => server.close(resolve)) };
}
