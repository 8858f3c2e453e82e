import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CLOSE, MAX_UPDATE_BYTES } from "@svc/live/frames";
import type { FastifyInstance } from "fastify";
import { WebSocketServer } from "ws";
import { findDocument } from "../../../domain/library/documents/queries.ts";
import { basePathOf, withoutBasePath } from "../../../http/base-path.ts";
import { addressSubject } from "../../../http/limits/limit-addresses.ts";
import { RateLimiter } from "../../../http/limits/rate-limit.ts";
import { newId } from "../../../ids.ts";
import type { Services } from "../../../services.ts";
import { readCookie } from "../cookies.ts";
import { findElsewhere } from "../other-workspace.ts";
import { SESSION } from "../request-visit.ts";
import { findViewer, type Viewer } from "../viewer.ts";

const PATH = /^\/documents\/([\w.-]{1,128})\/live\/socket$/;

/** Accepts the sockets of editors. A refused upgrade is answered as HTTP; the hub handles open sockets. */
export function mountLiveSocket(server: FastifyInstance, services: Services): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 2 * MAX_UPDATE_BYTES, perMessageDeflate: false });
  const limiter = new RateLimiter(services.database, services.config.rateLimit, services.config.rateLimitWindowS);
  server.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    upgrade(request, socket, head, sockets, limiter, services).catch((error) => {
      services.log.warn({ err: error }, "an upgrade failed");
      refuse(socket, 503);
    });
  });
  server.addHook("preClose", () => services.live.close());
  server.addHook("onClose", () => limiter.release().catch(() => undefined));
}

async function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  sockets: WebSocketServer,
  limiter: RateLimiter,
  services: Services,
): Promise<void> {
  const basePath = basePathOf(services.config);
  const url = URL.parse(withoutBasePath(basePath, request.url ?? ""), "http://socket");
  const documentId = url && PATH.exec(url.pathname)?.[1];
  if (!url || !documentId) return refuse(socket, 404);
  if (!isOwnOrigin(request, services)) return refuse(socket, 403);
  const { admitted } = await limiter.take(addressSubject(addressOf(request, services)));
  if (!admitted) return refuse(socket, 429);
  const secure = services.config.baseUrl?.startsWith("https:") === true || isForwardedTls(request, services);
  const viewer = await findViewer(services, readCookie(request.headers.cookie, SESSION, { secure, basePath }));
  // A browser hides from its page why an upgrade was refused, and the tab would wait for a network that is there.
  if (!viewer) return sockets.handleUpgrade(request, socket, head, (open) => open.close(CLOSE.signedOut, "signed out"));
  const { userId, sessionHash } = viewer;
  const workspaceId = await workspaceOf(services, viewer, documentId);
  const number = (name: string) => Math.max(0, Math.floor(Number(url.searchParams.get(name) ?? 0)) || 0);
  sockets.handleUpgrade(request, socket, head, (open) => {
    void services.live.join({
      socket: open,
      editor: { workspaceId, userId, sessionHash },
      key: { workspaceId, documentId },
      requestId: newId("req"),
      path: url.pathname,
      epoch: url.searchParams.get("epoch") ?? "",
      seq: number("seq"),
      client: number("client"),
      resume: url.searchParams.get("resume") ?? "",
    });
  });
}

/** The document's workspace: an open editor returns to it after another tab switched workspaces. */
async function workspaceOf(services: Services, viewer: Viewer, documentId: string): Promise<string> {
  const here = viewer.workspace.id;
  if (viewer.workspaces.length < 2 || (await findDocument(services.database.read, here, documentId))) return here;
  return (await findElsewhere(services, viewer, `/documents/${documentId}`)) ?? here;
}

/** The client's address as for requests: behind that many proxies, the one that the outermost of them recorded. */
function addressOf({ headers, socket }: IncomingMessage, { config }: Pick<Services, "config">): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((part) => part.trim());
  const addresses = [socket.remoteAddress ?? "", ...forwarded.filter(Boolean).toReversed()];
  return addresses[Math.min(config.trustProxy, addresses.length - 1)] ?? "";
}

/** A cookie alone is no proof, since pages of other sites can open sockets with it. Browsers always send the origin. */
function isOwnOrigin({ headers }: IncomingMessage, { config }: Pick<Services, "config">): boolean {
  const origin = headers.origin === undefined ? undefined : URL.parse(headers.origin);
  if (!origin) return false;
  if (config.baseUrl !== undefined && origin.origin === new URL(config.baseUrl).origin) return true;
  const host = config.trustProxy > 0 ? (lastOf(headers["x-forwarded-host"]) ?? headers.host) : headers.host;
  return origin.host === host;
}

const isForwardedTls = ({ headers }: IncomingMessage, { config }: Pick<Services, "config">): boolean =>
  config.trustProxy > 0 && lastOf(headers["x-forwarded-proto"]) === "https";

/** The value of the nearest of several proxies, as requests read it. */
const lastOf = (values: string | string[] | undefined): string | undefined =>
  values === undefined ? undefined : String(values).split(",").at(-1)?.trim();

const reasons: Record<number, string> = {
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

function refuse(socket: Duplex, status: number): void {
  if (socket.destroyed) return;
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
