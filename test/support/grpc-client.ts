import { once } from "node:events";
import { type ClientHttp2Session } from "node:http2";

export interface RpcOutcome {
  /** gRPC's status code. */
  readonly status: number;
  readonly message: string;
  /** The response without its frame; empty where the call failed. */
  readonly response: Buffer;
}

/** Calls a method with the bytes of a message. */
export async function call(
  session: ClientHttp2Session,
  path: string,
  request: Uint8Array,
): Promise<RpcOutcome> {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const chunks: Buffer[] = [];
  let headers: Readonly<Record<string, string | undefined>> = {};
  for (const event of ["response", "trailers"]) {
    stream.on(event, (received: Record<string, string>) => (headers = { ...headers, ...received }));
  }
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const header = Buffer.alloc(5);
  header.writeUInt32BE(request.length, 1);
  stream.end(Buffer.concat([header, request]));
  await once(stream, "close");
  const status = headers["grpc-status"];
  if (status === undefined) throw new Error("the call ended without a status");
  return {
    status: Number(status),
    message: decodeURIComponent(headers["grpc-message"] ?? ""),
    response: Buffer.concat(chunks).subarray(5),
  };
}
