/** A host's REST API over real HTTP, for tests: a host says how it answers; faults and requests are kept here. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface HostRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

/** JSON, a file, an address to go to, or a status without a body worth reading. */
export type HostAnswer =
  | object
  | { readonly status: number; readonly message?: string }
  | { readonly location: string }
  | Buffer
  | undefined;

export abstract class RestHost {
  readonly requests: HostRequest[] = [];
  /** Downloads that came to the other server, with what they carried. */
  readonly downloads: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** Asked before each answer: a status in place of it, with `retry-after: 0`. It may also change what the host holds. */
  fault: (request: HostRequest) => number | undefined = () => undefined;
  /** True for a request that is carried out, and whose answer is lost on the way. */
  isLost: (request: HostRequest) => boolean = () => false;
  readonly #api: Server;
  /** Where downloads are redirected to: another origin, as at GitHub. */
  readonly #storage: Server;
  readonly #files = new Map<string, Buffer>();

  protected constructor(token: string) {
    this.#api = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const url = new URL(request.url ?? "", "http://host");
        const text = Buffer.concat(chunks).toString("utf8");
        const asked: HostRequest = {
          method: request.method ?? "",
          path: decodeURIComponent(url.pathname),
          query: url.searchParams,
          body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
        };
        this.requests.push(asked);
        const fault = this.fault(asked);
        if (fault !== undefined) return response.writeHead(fault, { "retry-after": "0" }).end("<html>");
        if (request.headers.authorization !== `Bearer ${token}`)
          return response.writeHead(401).end('{"message":"Bad credentials"}');
        const answer = this.answer(asked);
        if (this.isLost(asked)) return response.writeHead(502, { "retry-after": "0" }).end("<html>");
        if (answer === undefined) return response.writeHead(404).end('{"message":"Not Found"}');
        if (Buffer.isBuffer(answer)) return response.end(answer);
        if ("location" in answer) return response.writeHead(302, { location: String(answer.location) }).end();
        if ("status" in answer && typeof answer.status === "number" && answer.status >= 400)
          return response.writeHead(answer.status).end(JSON.stringify(answer));
        return response.end(JSON.stringify(answer));
      });
    });
    this.#storage = createServer((request, response) => {
      this.downloads.push({ path: request.url ?? "", headers: request.headers });
      // As Azure's storage answers a request that has a signature and a token.
      if (request.headers.authorization !== undefined) response.writeHead(400).end();
      else response.end(this.#files.get(request.url ?? "") ?? "");
    });
  }

  protected abstract answer(request: HostRequest): HostAnswer;

  async listen(): Promise<this> {
    for (const server of [this.#api, this.#storage])
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  async close(): Promise<void> {
    for (const server of [this.#api, this.#storage]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#api.address() as AddressInfo).port}`;
  }

  /** The address of a file at the other server. */
  protected stored(path: string, file: Buffer): { location: string } {
    this.#files.set(path, file);
    return { location: `http://127.0.0.1:${(this.#storage.address() as AddressInfo).port}${path}` };
  }

  /** A page of a list, as `page` and `per_page` ask for it. */
  protected paged(all: readonly object[], query: URLSearchParams): readonly object[] {
    const size = Number(query.get("per_page") ?? 30);
    const page = Number(query.get("page") ?? 1);
    return all.slice(size * (page - 1), size * page);
  }
}
