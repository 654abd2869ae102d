/** The HTTP server: takes requests to their routes, notes them for tests to look at, and answers back. */
import { setTimeout as sleep } from "node:timers/promises";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { authenticate, type Caller, touchSession } from "./callers";
import { behave } from "./behaviors";
import { alter, answerOf, breakConnection, breaksConnection, type Faults, forestalls } from "./faults";
import { parseJson, toJson } from "./json";
import type { RecordedRequest, SimulatorSettings } from "./options";
import { checkParameters, type Given, type Parameters } from "./parameters";
import { invalid, Refusal } from "./refusal";
import { accountRoutes } from "./routes/account";
import { authorizationRoutes, oauth2Routes, statusRoutes } from "./routes/authorization";
import { type Answer, type RouteCall, type Route, schemaRoute } from "./routes/route";
import { userProfileRoutes } from "./routes/user-profile";
import type { Service } from "./service";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const LARGEST_BODY_BYTES = 8 * 1024 * 1024;

export function createServer(service: Service, faults: Faults, recorder: Recorder): FastifyInstance {
  const { https } = service.settings;
  const server = fastify({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    forceCloseConnections: true,
    bodyLimit: LARGEST_BODY_BYTES,
    ...(https && { https }),
  }) as unknown as FastifyInstance;
  // Bodies stay text until a route asks for them: who is not authenticated hears of that first.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "string" }, (_request, body, finish) => finish(null, body));

  const handle = (answer: (call: RouteCall) => Answer) => (request: FastifyRequest, reply: FastifyReply) =>
    respond(request, reply, answer);

  for (const [path, routes] of byPath(allRoutes(service))) {
    for (const route of routes)
      server.route({
        method: route.method,
        url: path,
        handler: handle((call) => {
          requireKnownQuery(route, call);
          return route.answer(call);
        }),
      });
    const allowedMethods = routes.map((route) => route.method);
    server.route({
      method: METHODS.filter((method) => !allowedMethods.some((other) => other === method)),
      url: path,
      handler: handle(() => {
        throw new Refusal(
          405,
          "method not supported by the resource",
          {},
          { Allow: allowedMethods.join(", ") },
        );
      }),
    });
  }
  server.setNotFoundHandler(
    handle(() => {
      throw new Refusal(404, "resource not found");
    }),
  );
  server.setErrorHandler((error, request, reply) =>
    respond(request, reply, () => {
      throw new Refusal(400, error instanceof Error ? error.message : "request cannot be read");
    }),
  );
  return server;

  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    route: (call: RouteCall) => Answer,
  ): Promise<FastifyReply> {
    const { method, url } = request;
    const entry = recorder.begin(method, url, recordedBody(request));
    const fault = faults.next(entry);
    if (fault?.delay !== undefined) await sleep(fault.delay, undefined, { ref: false });
    const work = () => answerTo(() => behave(service, url, route(routeCall(service, request, entry))));
    const answer = fault === undefined ? work() : forestalls(fault) ? answerOf(fault) : alter(fault, work());
    if (fault !== undefined && breaksConnection(fault)) {
      reply.hijack();
      breakConnection(fault, answer, reply.raw);
      recorder.end(entry);
      return reply;
    }
    const final = isNotModified(method, request.headers["if-none-match"], answer)
      ? { ...answer, status: 304, text: "" }
      : answer;
    entry.status = final.status;
    recorder.end(entry);
    return send(reply, final);
  }
}

function allRoutes(service: Service): readonly Route[] {
  const routes = [statusRoutes, oauth2Routes, authorizationRoutes, accountRoutes, userProfileRoutes].flatMap(
    (family) => family(service),
  );
  return [...routes, schemaRoute(routes)];
}

/** The specification lists no parameter of a list or of another reading (spec 4.3, 4.4). @throws Refusal 400 */
function requireKnownQuery({ method, parameters = {} }: Route, { query }: RouteCall): void {
  const unknownNames = Object.keys(query).filter(
    (name) => method !== "DELETE" || !Object.hasOwn(parameters, name),
  );
  if (unknownNames.length === 0) return;
  throw invalid(unknownNames.map((name) => ({ type: "unknown", field: `/${name}`, msg: "is no parameter" })));
}

function byPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}

function answerTo(route: () => Answer): Answer {
  try {
    return route();
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(500, String(error));
    return { status: refusal.status, text: toJson(refusal.body), headers: refusal.headers };
  }
}

function send(reply: FastifyReply, { status, text, headers }: Answer): FastifyReply {
  reply.code(status);
  if (text !== "") reply.type("application/json; charset=utf-8");
  return reply.headers({ ...headers }).send(text === "" ? undefined : text);
}

/** Conditional reads: a client that names the tag it knows gets 304 while it is still the right one. */
function isNotModified(method: string, ifNoneMatch: string | undefined, answer: Answer): boolean {
  const etag = answer.headers?.["ETag"];
  if (ifNoneMatch === undefined || etag === undefined || method !== "GET" || answer.status !== 200)
    return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
}

/** A request, made ready for a route. */
function routeCall(service: Service, request: FastifyRequest, entry: Entry): RouteCall {
  const { headers } = request;
  return {
    ref: (request.params as { readonly ref?: string }).ref ?? "",
    query: request.query as RouteCall["query"],
    headers,
    addr: request.ip,
    caller(): Caller {
      const caller = authenticate(service, headers);
      if (caller.credential.kind === "session") touchSession(service, caller.credential.session, request.ip);
      entry.login = caller.profile.login;
      return caller;
    },
    read<P extends Parameters>(parameters: P): Given<P> {
      return checkParameters(parameters, requestBody(request), service.settings.unknownParameters);
    },
  };
}

/** @throws Refusal 400 if the body is not a JSON object. No body is an empty one: it lacks the mandatory members. */
function requestBody(request: FastifyRequest): object {
  const text = bodyText(request);
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

/** The body for the record: parsed where it can be, as it came where not, undefined if there is none. */
function recordedBody(request: FastifyRequest): unknown {
  const text = bodyText(request);
  return text === "" ? undefined : parsedOr(text, text);
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return parseJson(text);
  } catch {
    return otherwise;
  }
}

function bodyText(request: FastifyRequest): string {
  return typeof request.body === "string" ? request.body : "";
}

/** A request under way; further members come later. */
export type Entry = { -readonly [M in keyof RecordedRequest]: RecordedRequest[M] };

/** Notes the requests that came in, for tests to look at. */
export class Recorder {
  readonly requests: Entry[] = [];

  constructor(private readonly settings: SimulatorSettings) {}

  begin(method: string, path: string, body: unknown): Entry {
    const entry: Entry = { method, path, body, status: undefined, login: undefined };
    if (this.settings.record) this.requests.push(entry);
    return entry;
  }

  end(entry: Entry): void {
    this.settings.onRequest?.(entry);
  }

  clear(): void {
    this.requests.length = 0;
  }
}
