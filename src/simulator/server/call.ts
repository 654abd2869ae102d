/** A request, made ready for a route. */
import type { FastifyRequest } from "fastify";
import { authenticate } from "../access/authenticate";
import type { Caller } from "../access/caller";
import { touchSession } from "../access/sessions";
import { parseJson } from "../json";
import { check } from "../parameters/check";
import type { Given, Parameters } from "../parameters/parameter";
import { Refusal } from "../refusal";
import type { Call } from "../routes/route";
import type { Service } from "../service";
import type { Entry } from "./recorder";

export function callOf(service: Service, request: FastifyRequest, entry: Entry): Call {
  const { headers } = request;
  return {
    ref: (request.params as { readonly ref?: string }).ref ?? "",
    query: request.query as Call["query"],
    headers,
    addr: request.ip,
    caller(): Caller {
      const caller = authenticate(service, headers);
      if (caller.credential.kind === "session") touchSession(service, caller.credential.session, request.ip);
      entry.login = caller.profile.login;
      return caller;
    },
    read<P extends Parameters>(parameters: P): Given<P> {
      return check(parameters, bodyOf(request), service.settings.unknownParameters);
    },
  };
}

/** @throws Refusal 400 where the body is not a JSON object. No body is an empty one: it lacks what is mandatory. */
function bodyOf(request: FastifyRequest): object {
  const text = textOf(request);
  if (text.trim() === "") return {};
  const type = request.headers["content-type"];
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw new Refusal(400, `body must be application/json, not ${type}`);
  const body = parsedOr(text, undefined);
  if (body === undefined) throw new Refusal(400, "body is not JSON");
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Refusal(400, "body must be a JSON object");
  return body;
}

/** The body for the record: parsed where it can be, as it came where not, undefined where there is none. */
export function recordedBody(request: FastifyRequest): unknown {
  const text = textOf(request);
  return text === "" ? undefined : parsedOr(text, text);
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return parseJson(text);
  } catch {
    return otherwise;
  }
}

function textOf(request: FastifyRequest): string {
  return typeof request.body === "string" ? request.body : "";
}
