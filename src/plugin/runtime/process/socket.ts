import { once } from "node:events";
import { existsSync, mkdtempSync, rmdirSync, unlinkSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** More than this does not fit into the address of a Unix socket on any of the systems; some have 104 bytes, some 108. */
const LONGEST_PATH = 100;

export interface SocketPlace {
  readonly path: string;
  remove(): void;
}

/**
 * A new place for a socket, in a folder that is the user's alone.
 * @param folder where to make it; `/tmp` where a path in it would be too long.
 */
export function createSocketPlace(folder: string = tmpdir()): SocketPlace {
  const wanted = join(folder, "plugin-XXXXXX", "rpc");
  const parent = Buffer.byteLength(wanted) <= LONGEST_PATH ? folder : "/tmp";
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

/** Opens a socket at a path; `take` gets each connection. */
export async function listen(path: string, take: (connection: Socket) => void): Promise<Server> {
  const server = createServer(take).listen(path);
  await once(server, "listening");
  return server;
}
