import { assets } from "@svc/web/assets";
import { document } from "@svc/web/frame";
import { noticeText } from "@svc/web/notices";
import { messagePage } from "@svc/web/pages/message";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ApiError, notFound } from "../errors.ts";
import { toApiError } from "../http/server.ts";
import { newSecret } from "../ids.ts";
import { SESSION_DAYS } from "../resources/sessions/start-session.ts";
import type { Services } from "../services.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { formToken, isFormToken, isFromHere } from "./form-proof.ts";
import { pageRoutes } from "./index.ts";
import { findViewer } from "./viewer.ts";
import type { MemberVisit, Outcome, PageRoute, Visit } from "./visit.ts";

const SESSION = "svc_session";
const VISITOR = "svc_visitor";
const MAX_FORM_BYTES = 256 * 1024;

/** Nothing but our own files; no frame may hold a page, no form may post elsewhere. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": CONTENT_POLICY,
  "cache-control": "no-store",
  // Not `no-referrer`: with that, browsers send `Origin: null` with our own forms.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

/** The browser part. It lives in a scope of its own: forms are understood here and nowhere under /api/. */
export async function mountPages(server: FastifyInstance, services: Services): Promise<void> {
  await server.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, withoutNul(new URLSearchParams(body as string))),
    );
    scope.addHook("onRequest", async (_request, reply) => void reply.headers(HEADERS));
    scope.setErrorHandler((error, request, reply) => answerError(error, request, reply, services));
    for (const route of pageRoutes) mountPage(scope, route, services);
    mountAssets(scope);
    scope.get("/*", async (request) => {
      throw notFound("page", request.url);
    });
  });
}

function mountAssets(scope: FastifyInstance): void {
  scope.get<{ Params: { version: string; name: string } }>("/assets/:version/:name", async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) throw notFound("asset", request.params.name);
    const kept = asset.version === request.params.version ? "public, max-age=31536000, immutable" : "no-cache";
    return reply.header("cache-control", kept).type(asset.type).send(asset.bytes);
  });
}

function mountPage(scope: FastifyInstance, route: PageRoute, services: Services): void {
  scope.route({
    method: route.method,
    url: route.path,
    config: { operation: `page ${route.path}` },
    handler: async (request, reply) => {
      const visit = await visitOf(request, reply, services);
      if (route.method === "POST") refuseForeignForm(request, visit, boundTo(request, visit.viewer, services));
      if (!route.isPublic && !visit.viewer) return reply.code(303).header("location", signInFirst(route, visit)).send();
      return answer(request, reply, visit, await route.handler(visit as MemberVisit), services);
    },
  });
}

/** Whether cookies may be marked for TLS only. */
const isSecure = (request: FastifyRequest, { config }: Services): boolean =>
  request.protocol === "https" || config.baseUrl?.startsWith("https:") === true;

/** PostgreSQL cannot hold NUL in text, so none gets in. */
const withoutNul = (fields: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...fields].map(([key, value]): [string, string] => [key, value.replaceAll("\0", "\ufffd")]));

async function visitOf(request: FastifyRequest, reply: FastifyReply, services: Services): Promise<Visit> {
  const { config, database, secret } = services;
  const secure = isSecure(request, services);
  const viewer = await findViewer(database, readCookie(request.headers.cookie, SESSION, secure));
  if (!viewer && request.method === "GET") giveVisitorCookie(request, reply, secure);
  const [path = "/", query = ""] = splitOnce(request.url);
  const params = request.params as Record<string, string>;
  return {
    app: services,
    viewer,
    params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, value.replaceAll("\0", "\ufffd")])),
    query: withoutNul(new URLSearchParams(query)),
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    formToken: formToken(secret, boundTo(request, viewer, services)),
    path,
    address: request.ip,
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 300).replaceAll("\0", ""),
    baseUrl: config.baseUrl?.replace(/\/+$/, "") ?? `${request.protocol}://${request.host}`,
    requestId: request.id,
    headers: request.headers,
  };
}

const splitOnce = (url: string): string[] => {
  const at = url.indexOf("?");
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
};

/** Before there is a session, forms are bound to a random cookie that only this visitor has. */
function giveVisitorCookie(request: FastifyRequest, reply: FastifyReply, secure: boolean): void {
  if (readCookie(request.headers.cookie, VISITOR, secure)) return;
  const value = newSecret();
  reply.header("set-cookie", writeCookie(VISITOR, value, { secure }));
  const own = writeCookie(VISITOR, value, { secure }).split(";")[0];
  request.headers.cookie = [request.headers.cookie, own].filter(Boolean).join("; ");
}

function boundTo(request: FastifyRequest, viewer: Visit["viewer"], services: Services): string {
  if (viewer) return viewer.sessionHash;
  return readCookie(request.headers.cookie, VISITOR, isSecure(request, services)) ?? "";
}

class ForeignForm extends Error {}

function refuseForeignForm(request: FastifyRequest, visit: Visit, bound: string): void {
  const { config, secret } = visit.app;
  const proven = bound !== "" && isFormToken(secret, bound, visit.form.get("form_token"));
  if (!proven || !isFromHere(request.headers, request.host, config.baseUrl)) throw new ForeignForm();
}

const signInFirst = (route: PageRoute, visit: Visit): string => {
  const query = visit.query.toString();
  const next = route.method === "GET" ? `${visit.path}${query && `?${query}`}` : "/";
  return next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`;
};

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  outcome: Outcome,
  services: Services,
): FastifyReply {
  reply.code(outcome.status ?? 200).headers(outcome.headers ?? {});
  if (outcome.session !== undefined) {
    const maxAge = outcome.session === null ? 0 : SESSION_DAYS * 24 * 60 * 60;
    const options = { secure: isSecure(request, services), maxAge };
    reply.header("set-cookie", writeCookie(SESSION, outcome.session ?? "", options));
  }
  if (outcome.location !== undefined) return reply.header("location", outcome.location).send();
  if (outcome.raw) return reply.type(outcome.raw.contentType).send(outcome.raw.body);
  const frame = {
    viewer: visit.viewer,
    formToken: visit.formToken,
    path: visit.path,
    notice: noticeText(visit.query.get("done")),
  };
  return sendHtml(reply, document(frame, outcome.page!).text);
}

const sendHtml = (reply: FastifyReply, text: string): FastifyReply => reply.type("text/html; charset=utf-8").send(text);

const foreignFormPage = messagePage({
  title: "That form was not accepted",
  text: "It is too old, or it did not come from this site. Nothing was changed: go back, reload the page and try again.",
});

const titles: Record<number, string> = {
  403: "Not allowed",
  404: "Nothing here",
  413: "Too large",
  429: "Too many requests",
  503: "Back in a moment",
};

const errorPage = (error: ApiError, requestId: string) =>
  messagePage({
    title: titles[error.status] ?? "That did not work",
    text: error.status === 404 ? "There is no such page, or you have no access to it." : error.message,
    detail: error.status >= 500 ? `Request ${requestId}` : undefined,
  });

/** Every failure as a page. What we did not foresee says nothing about the inside. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, { log }: Services): FastifyReply {
  const frame = { viewer: undefined, formToken: "", path: "", notice: undefined };
  if (error instanceof ForeignForm) return sendHtml(reply.code(403), document(frame, foreignFormPage).text);
  const refusal = toApiError(error);
  if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, "page failed");
  return sendHtml(
    reply.code(refusal.status).headers(refusal.headers),
    document(frame, errorPage(refusal, request.id)).text,
  );
}
