/** How faults show on the wire. */
import type { ServerResponse } from "node:http";
import { parseJson, toJson } from "../json";
import type { Answer } from "../routes/route";
import type { Fault } from "./fault";

/** Whether the service is kept from doing its work. */
export function forestalls(fault: Fault): boolean {
  const { status, reset, hang, when = "before" } = fault;
  return when === "before" && (status !== undefined || reset === true || hang === true);
}

/** The answer that stands in for the service's own. */
export function answerOf({ status = 503, body, retryAfter }: Fault): Answer {
  return {
    status,
    text:
      typeof body === "string" ? body : toJson(body ?? { status, message: "server busy, try again later" }),
    headers: {
      "Content-Type": typeof body === "string" ? "text/html" : "application/json",
      ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
    },
  };
}

/** The service's answer after the fault. */
export function alter(fault: Fault, answer: Answer): Answer {
  if (fault.status !== undefined) return answerOf(fault);
  if (fault.alter === undefined || answer.text === "") return answer;
  return { ...answer, text: toJson(fault.alter(parseJson(answer.text))) };
}

/** Whether the fault breaks the connection, so that no whole answer may be sent. */
export function breaksConnection({ reset, hang, truncate }: Fault): boolean {
  return reset === true || hang === true || truncate === true;
}

export function breakConnection(fault: Fault, answer: Answer, response: ServerResponse): void {
  if (fault.reset === true) response.socket?.resetAndDestroy();
  if (fault.truncate !== true) return;
  const body = Buffer.from(answer.text);
  response.writeHead(answer.status, { ...answer.headers, "Content-Length": body.length });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
}
