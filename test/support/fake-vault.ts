import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Entry {
  version: number;
  data: unknown;
}

export interface FakeVault {
  readonly address: string;
  /** By path below the mount. */
  readonly entries: Map<string, Entry>;
  /** Headers and addresses of all requests. */
  readonly requests: { readonly url: string; readonly namespace: string | undefined }[];
  stop(): Promise<void>;
}

/** A server that answers as the KV secrets engine, version 2, mounted at `kv`, does to the token `good`. */
export async function startFakeVault(): Promise<FakeVault> {
  const entries = new Map<string, Entry>();
  const requests: FakeVault["requests"] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body?: unknown) => {
      response.statusCode = status;
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    void (async () => {
      const url = request.url ?? "";
      requests.push({ url, namespace: request.headers["x-vault-namespace"]?.toString() });
      if (request.headers["x-vault-token"] !== "good") return answer(403, { errors: ["permission denied"] });
      const [, api, path = ""] = /^\/v1\/kv\/(data|metadata)\/(.+)$/.exec(url) ?? [];
      const entry = entries.get(path);
      if (request.method === "DELETE" && api === "metadata") {
        entries.delete(path);
        return answer(204);
      }
      if (request.method === "GET" && api === "data")
        return entry === undefined
          ? answer(404, { errors: [] })
          : answer(200, { data: { data: entry.data, metadata: { version: entry.version } } });
      if (request.method === "POST" && api === "data") {
        const { data, options } = (await json(request)) as { data: unknown; options: { cas: number } };
        const version = entry?.version ?? 0;
        if (options.cas !== version)
          return answer(400, { errors: ["check-and-set parameter did not match the current version"] });
        entries.set(path, { data, version: version + 1 });
        return answer(200, { data: { version: version + 1 } });
      }
      return answer(405, { errors: ["unsupported operation"] });
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    entries,
    requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
