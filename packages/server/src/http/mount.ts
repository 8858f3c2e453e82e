import { defined } from "@svc/document/defined";
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { VisibleReader } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { servicesFor } from "../rights/restricted-services.ts";
import type { Services } from "../services.ts";
import { type Written, write } from "./answer.ts";
import { baseUrlOf } from "./base-url.ts";
import { authorise } from "./callers/authenticate.ts";
import { type Caller, clientOf } from "./callers/caller.ts";
import type { TokenUse } from "./callers/token-use.ts";
import { Gate } from "./gate.ts";
import { isReplay } from "./idempotency.ts";
import { mountOtherMethods } from "./other-methods.ts";
import { parseIfMatch } from "./preconditions.ts";
import type { Input, ReadRoute, RequestFacts, Route, WriteRoute } from "./route.ts";
import { runWrite } from "./run-write.ts";
import { compileInput } from "./validation.ts";
import { inMultipartScope, readParts } from "./wire/multipart.ts";
import { CORS_HEADERS, send } from "./wire/send.ts";

export const API_PREFIX = "/api/v1";

const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers":
    "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Idempotency-Key, Last-Event-ID, Range, X-Request-Id",
  "access-control-max-age": "86400",
};
const DESCRIPTION_PATH = "/api/openapi.json";
/** The size limit of bodies sent without a token. */
export const PUBLIC_BODY_BYTES = 4096;

/** Mounts the list of routes on the server, with authorization, validation and serialisation. */
export function mount(
  server: FastifyInstance,
  routes: readonly Route[],
  services: Services,
  tokenUse: TokenUse,
  description: () => string,
): void {
  const gate = new Gate(services, tokenUse);
  server.addHook("onClose", () => gate.release().catch(() => undefined));
  server.admit = (request) => gate.admit(request);
  const isUpload = (route: Route) => route.kind === "write" && route.multipart === true;
  for (const route of routes) if (!isUpload(route)) mountRoute(server, route, services, gate);
  inMultipartScope(server, (scope) => {
    for (const route of routes) if (isUpload(route)) mountRoute(scope, route, services, gate);
  });
  mountOtherMethods(server, methodsByUrl(routes).set(DESCRIPTION_PATH, ["GET"]), gate);
  server.get(DESCRIPTION_PATH, { onRequest: gate.enter() }, (_request, reply) =>
    send(reply, { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body: description() }),
  );
  server.options("/api/*", (_request, reply) =>
    reply
      .code(204)
      .headers({ ...CORS_HEADERS, ...PREFLIGHT_HEADERS })
      .send(),
  );
}

/** A route's path as the framework writes it. */
const urlOf = (path: string): string => API_PREFIX + path.replace(/\{(\w+)\}/g, ":$1");

type CheckedRequest = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>;

function mountRoute(server: FastifyInstance, route: Route, services: Services, gate: Gate): void {
  const checkInput = compileInput(route);
  const check = (request: FastifyRequest) => {
    if (request.bodyProblem) throw request.bodyProblem;
    checkInput(request as CheckedRequest);
    return inputOf(request, services);
  };
  const isPublic = route.scopes === "public";
  const admit = (request: FastifyRequest) => {
    if (!isPublic) authorise(route, defined(request.identity), request.query);
  };
  server.route({
    method: route.method,
    url: urlOf(route.path),
    config: { operation: route.operation, ...(route.errorMembers && { errorMembers: route.errorMembers }) },
    ...(isPublic && { bodyLimit: PUBLIC_BODY_BYTES }),
    onRequest: gate.enter(admit),
    handler: route.kind === "read" ? reading(route, check, services) : writing(route, check, services),
  });
}

type Check = (request: FastifyRequest) => Input<never, never, never> & { readonly db: VisibleReader };

const writing =
  (route: WriteRoute, check: Check, services: Services): RouteHandlerMethod =>
  async (request, reply) => {
    const { database } = servicesFor(services, callerOf(request)?.rights);
    await checkRights(route, request, services);
    const outcome = runWrite(route, request, database, () => check(request));
    const written = await settled(request, outcome, services);
    if (isReplay(written))
      await services.access.checkReplay(
        database.read,
        services.database.read,
        route.access,
        callerOf(request),
        written,
      );
    return send(reply, written);
  };

const reading =
  (route: ReadRoute, check: Check, services: Services): RouteHandlerMethod =>
  (request, reply) => {
    const input = check(request);
    const checked = checkRights(route, request, services);
    const answer = checked ? checked.then(() => route.handler(input)) : route.handler(input);
    if (!(answer instanceof Promise)) return void send(reply, write(answer, request.id));
    answer.then((later) => send(reply, write(later, request.id))).catch((error) => reply.send(error));
  };

/** Asks the policy, even before a stored answer is repeated; most callers need no check. */
function checkRights(route: Route, request: FastifyRequest, services: Services): Promise<void> | undefined {
  const caller = callerOf(request);
  if (!caller?.rights || route.scopes === "public") return undefined;
  const { database } = servicesFor(services, caller.rights);
  return services.access.checkRequest(database.read, route.access, caller, request);
}

const callerOf = (request: FastifyRequest): Caller =>
  request.identity && "caller" in request.identity ? request.identity.caller : (undefined as unknown as Caller);

/** Returns the outcome of a write, after the steps that wait for it. */
async function settled(
  request: FastifyRequest,
  outcome: Promise<Written>,
  { log }: Pick<Services, "log">,
): Promise<Written> {
  const [result] = await Promise.allSettled([outcome]);
  const isKnown = result.status === "fulfilled" || result.reason instanceof ApiError;
  for (const step of (isKnown && request.afterwards) || [])
    await step().catch((error) => log.warn({ err: error, request_id: request.id }, "cleaning up failed"));
  return outcome;
}

function inputOf(request: FastifyRequest, services: Services): ReturnType<Check> {
  const caller = callerOf(request);
  const app = servicesFor(services, caller?.rights);
  return {
    app,
    db: app.database.read,
    caller,
    params: request.params as never,
    query: request.query as never,
    body: request.body as never,
    ifMatch: parseIfMatch(request.headers["if-match"]),
    request: new Facts(request, services.config),
    parts: () => readParts(request),
    afterwards: (step) => {
      request.afterwards = [...(request.afterwards ?? []), step];
    },
  };
}

/** Computes facts that few handlers need when they are first used. */
class Facts implements RequestFacts {
  readonly #request: FastifyRequest;
  readonly #config: Services["config"];

  constructor(request: FastifyRequest, config: Services["config"]) {
    this.#request = request;
    this.#config = config;
  }
  get id() {
    return this.#request.id;
  }
  get method() {
    return this.#request.method;
  }
  get path() {
    return this.#request.url.split("?")[0] ?? "";
  }
  get address() {
    return this.#request.ip;
  }
  get baseUrl() {
    return baseUrlOf(this.#request, this.#config);
  }
  get client() {
    return clientOf(this.#request.headers["user-agent"]);
  }
  get headers() {
    return this.#request.headers;
  }
}

function methodsByUrl(routes: readonly Route[]): Map<string, string[]> {
  const urls = new Map<string, string[]>();
  for (const { path, method } of routes) urls.set(urlOf(path), [...(urls.get(urlOf(path)) ?? []), method]);
  return urls;
}
