/** Opens the socket at which Terraform finds the provider. */
import { once } from "node:events";
import { existsSync, mkdtempSync, rmdirSync, unlinkSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** More than this does not fit into the address of a Unix socket on any of the systems; some have 104 bytes, some 108. */
const LONGEST_PATH = 100;

/** The socket of a plugin. */
export interface SocketPlace {
  /** Path of the Unix socket; undefined if there are none that Terraform can use: on Windows. */
  readonly path: string | undefined;
  remove(): void;
}

/** The address in go-plugin's handshake. */
export interface Address {
  readonly network: "unix" | "tcp";
  readonly text: string;
}

/**
 * A new place for a socket, in a folder that only the user can open. On Windows, where Node has only pipes, it is a port of this machine's
 * own address: connections without Terraform's certificate are refused.
 * @param folder the parent folder; `/tmp` if a path in it would be too long
 */
export function createSocketPlace(folder: string = tmpdir()): SocketPlace {
  if (process.platform === "win32") return { path: undefined, remove: () => undefined };
  const candidate = join(folder, "plugin-XXXXXX", "rpc");
  const parent = Buffer.byteLength(candidate) <= LONGEST_PATH ? folder : "/tmp";
  const own = mkdtempSync(join(parent, "plugin-"));
  const path = join(own, "rpc");
  return {
    path,
    remove() {
      // Closing the server has removed it, unless the process ends before that.
      if (existsSync(path)) unlinkSync(path);
      rmdirSync(own);
    },
  };
}

/** Opens the socket of a place; `take` gets each connection. */
export async function listen(
  { path }: SocketPlace,
  take: (connection: Socket) => void,
): Promise<{ readonly server: Server; readonly address: Address }> {
  const server = createServer(take);
  server.listen(path === undefined ? { host: "127.0.0.1", port: 0 } : { path });
  await once(server, "listening");
  const text = path ?? `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, address: { network: path === undefined ? "tcp" : "unix", text } };
}
