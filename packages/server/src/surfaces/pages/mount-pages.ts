import { assets } from "@svc/web/server/assets";
import { messagePage } from "@svc/web/server/pages/message";
import type { Page } from "@svc/web/shared/page";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { updateSessionWorkspace } from "../../domain/identity/sessions/queries.ts";
import { apiError, notFound } from "../../errors.ts";
import { limitAddresses } from "../../http/limits/limit-addresses.ts";
import { PUBLIC_BODY_BYTES } from "../../http/mount.ts";
import { encodingFor, variesByEncoding, varyWith } from "../../http/wire/compress.ts";
import { readFields } from "../../http/wire/form-fields.ts";
import { type Encoding, finish, pack } from "../../http/wire/packed.ts";
import type { Services } from "../../services.ts";
import { answerFailure, answerPage } from "./answer-page.ts";
import { contentPolicy } from "./content-policy.ts";
import { FRAME_SCRIPTS, mountDiagramFrame } from "./diagram-frame.ts";
import { isFromHere } from "./form-proof.ts";
import { pageRoutes } from "./index.ts";
import { askedElsewhere, findElsewhere, goElsewhere } from "./other-workspace.ts";
import { mountRelay } from "./relay.ts";
import { refuseForeignForm, viewerOf, visitOf } from "./request-visit.ts";
import type { Viewer } from "./viewer.ts";
import { isByScript, type Outcome, type PageRoute, show, type Visit } from "./visit.ts";

const MAX_FORM_BYTES = 256 * 1024;

const HEADERS = {
  "content-security-policy": contentPolicy(),
  "cache-control": "no-store",
  // Not `no-referrer`: browsers would then send `Origin: null` with our own forms.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

/** Serves the browser part. It has a scope of its own: forms are parsed here and nowhere under /api/. */
export async function mountPages(server: FastifyInstance, services: Services): Promise<void> {
  await server.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, readFields(String(body))),
    );
    scope.addHook("onRequest", async (_request, reply) => void reply.headers(HEADERS));
    limitAddresses(scope, services);
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, services));
    for (const route of pageRoutes) mountPage(scope, route, services);
    mountAssets(scope);
    mountDiagramFrame(scope);
    mountRelay(scope, services);
    scope.get("/*", async (request) => {
      throw notFound("page", request.url);
    });
  });
}

function mountAssets(scope: FastifyInstance): void {
  const file = { config: { isFile: true } };
  scope.get<{ Params: { version: string; "*": string } }>("/assets/:version/*", file, async (request, reply) => {
    const asset = assets.get(request.params["*"]);
    if (!asset) throw notFound("asset", request.params["*"]);
    const kept = asset.version === request.params.version ? "public, max-age=31536000, immutable" : "no-cache";
    if (FRAME_SCRIPTS.includes(request.params["*"])) reply.header("cross-origin-resource-policy", "cross-origin");
    reply.header("cache-control", kept).type(asset.type);
    const encoding = encodingFor(request.headers["accept-encoding"]);
    if (!encoding || !variesByEncoding(asset.bytes, asset.type)) return reply.send(asset.bytes);
    reply.header("content-encoding", encoding).header("vary", varyWith(reply.getHeader("vary")));
    return reply.send(await packedOnce(asset.bytes, encoding));
  });
}

/** Static files never change: each is compressed once per requested encoding. */
const packed = new Map<Encoding, WeakMap<Buffer, Promise<Buffer>>>();

function packedOnce(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = packed.get(encoding) ?? new WeakMap<Buffer, Promise<Buffer>>();
  packed.set(encoding, known);
  const made = known.get(bytes) ?? pack(bytes, encoding).then((text) => finish(text, ""));
  known.set(bytes, made);
  made.catch(() => known.delete(bytes));
  return made;
}

function mountPage(scope: FastifyInstance, route: PageRoute, services: Services): void {
  scope.route({
    method: route.method,
    url: route.path,
    config: { operation: `page ${route.path}` },
    ...(route.maxBytes !== undefined && { bodyLimit: route.maxBytes }),
    ...(route.method === "POST" && !route.isPublic && { onRequest: (request) => refuseStrangers(request, services) }),
    handler: async (request, reply) => {
      const visit = await visitOf(request, reply, services);
      const done = isFromHere(request.headers, request.host, services.config.baseUrl) && doneElsewhere(route, visit);
      if (done) return answerPage(request, reply, visit, done);
      if (route.method === "POST" && !route.isOneClick) refuseForeignForm(request, visit);
      if (!route.isPublic && !visit.viewer) return reply.code(303).header("location", signInFirst(visit)).send();
      if (route.method === "POST" && visit.viewer?.isElsewhere) await comeBack(services, visit.viewer);
      const outcome = await handled(route, visit, services, (workspaceId) =>
        visitOf(request, reply, services, workspaceId),
      );
      const readAt = route.method === "POST" ? pageAbove(route, visit.path) : undefined;
      return answerPage(request, reply, visit, outcome, readAt);
    },
  });
}

/** The answer to a form whose sender has signed in or out in another tab; nothing is done. */
function doneElsewhere(route: PageRoute, visit: Visit): Outcome | undefined {
  const done = route.ifDone?.(visit);
  if (done || route.isPublic || route.method !== "POST" || visit.viewer) return done;
  return show(signedOutPage(pageAbove(route, visit.path)), 403);
}

const signedOutPage = (page: string): Page =>
  messagePage({
    title: "You are signed out",
    text: "Nothing was changed. If you typed something, go back and copy it before you sign in again.",
    link: { href: `/sign-in?next=${encodeURIComponent(page)}`, label: "Sign in" },
  });

/** The sender of a form stays in the workspace that its page showed. */
const comeBack = ({ database }: Pick<Services, "database">, { sessionId, workspace }: Viewer) =>
  database.transaction((tx) => updateSessionWorkspace(tx, sessionId, workspace.id));

/**
 * A missing page may be in another workspace of the person: a link switches to that workspace. The script of an open
 * page is answered from there without a switch.
 */
async function handled(
  route: PageRoute,
  visit: Visit,
  services: Services,
  visitIn: (workspaceId: string) => Promise<Visit>,
): Promise<Outcome> {
  const { viewer, path } = visit;
  const asked = route.method === "GET" && !route.isPublic && !isByScript(visit) ? askedElsewhere(visit) : undefined;
  if (viewer && asked !== undefined) return goElsewhere(visit, services, viewer, asked);
  try {
    return await route.handler(visit);
  } catch (error) {
    const isMissing = error instanceof Error && "status" in error && error.status === 404;
    if (!isMissing || route.method !== "GET" || !viewer) throw error;
    const elsewhere = await findElsewhere(services, viewer, path);
    if (elsewhere === undefined) throw error;
    return isByScript(visit)
      ? route.handler(await visitIn(elsewhere))
      : goElsewhere(visit, services, viewer, elsewhere);
  }
}

const pagePaths: ReadonlySet<string> = new Set(
  pageRoutes.flatMap(({ method, path }) => (method === "GET" ? [path] : [])),
);

/** The nearest page at or above a form's address: reloading the answer reads that page. */
function pageAbove(route: PageRoute, path: string): string {
  const [steps, given] = [route.path.split("/"), path.split("/")];
  while (steps.length > 1 && !pagePaths.has(steps.join("/"))) {
    steps.pop();
    given.pop();
  }
  return given.join("/") || "/";
}

/** Reads a long form only for signed-in people. */
async function refuseStrangers(request: FastifyRequest, services: Services): Promise<void> {
  const isShort = Number(request.headers["content-length"]) <= PUBLIC_BODY_BYTES;
  if (!isShort && !(await viewerOf(request, services))) throw apiError("payload_too_large");
}

const signInFirst = ({ path, query }: Visit): string =>
  `/sign-in?next=${encodeURIComponent(query.size > 0 ? `${path}?${query}` : path)}`;
