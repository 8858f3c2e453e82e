import { METHODS as ALL_METHODS } from "node:http";
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from "fastify";
import { apiError, noSuchPath } from "../errors.ts";
import type { Gate } from "./gate.ts";

const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/**
 * Methods that no route has, such as those of WebDAV. HEAD comes with GET, OPTIONS is always answered, and CONNECT is
 * not a request.
 */
const FOREIGN = ALL_METHODS.filter((method) => ![...METHODS, "HEAD", "OPTIONS", "CONNECT"].includes(method));

const never: RouteHandlerMethod = async () => undefined;

const allowed = (methods: readonly string[]): string =>
  methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");

function refuseMethod(methods: readonly string[]): never {
  const allow = allowed(methods);
  throw apiError("method_not_allowed", { allow }, { allow });
}

/**
 * Answers requests under /api/ that match no route: 405 if the path has other methods, else 404. `paths` are as the
 * framework writes them.
 */
export function mountOtherMethods(
  server: FastifyInstance,
  paths: ReadonlyMap<string, readonly string[]>,
  gate: Gate,
): void {
  for (const [url, methods] of paths) {
    const method = METHODS.filter((each) => !methods.includes(each));
    if (method.length > 0)
      server.route({ method, url, onRequest: gate.enter(() => refuseMethod(methods)), handler: never });
  }
  const unknown = (request: FastifyRequest) => {
    throw noSuchPath(pathOf(request));
  };
  server.route({ method: [...METHODS], url: "/api/*", onRequest: gate.enter(unknown), handler: never });
  for (const method of FOREIGN) server.addHttpMethod(method, { overrideExisting: true });
  const methodsAt = finder(paths);
  const refuse = (request: FastifyRequest) => {
    const methods = methodsAt(pathOf(request));
    return methods ? refuseMethod(methods) : unknown(request);
  };
  server.route({ method: FOREIGN, url: "/api/*", onRequest: gate.enter(refuse), handler: never });
}

const pathOf = ({ url }: FastifyRequest): string => url.split("?")[0] ?? "";

/**
 * Finds a path as the framework would, names before parameters. A route for each of so many methods would slow the
 * start.
 */
function finder(paths: ReadonlyMap<string, readonly string[]>): (path: string) => readonly string[] | undefined {
  const patterns = [...paths]
    .sort(([one], [other]) => one.split(":").length - other.split(":").length)
    .map(([url, methods]) => ({ pattern: new RegExp(`^${url.replace(/:\w+/g, "[^/]+")}$`), methods }));
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.methods;
}
