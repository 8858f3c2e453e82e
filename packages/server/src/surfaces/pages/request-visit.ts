import type { FastifyReply, FastifyRequest } from "fastify";
import { eventReads } from "../../events/queries.ts";
import { basePathOf } from "../../http/base-path.ts";
import { baseUrlOf } from "../../http/base-url.ts";
import { cleanText, readFields } from "../../http/wire/form-fields.ts";
import { newSecret } from "../../ids.ts";
import { servicesFor } from "../../rights/restricted-services.ts";
import type { Services } from "../../services.ts";
import { type CookieScope, readCookie, writeCookie } from "./cookies.ts";
import { formToken, isFormToken, isFromHere } from "./form-proof.ts";
import { LOOK, readLook } from "./look.ts";
import { pageClient } from "./page-client.ts";
import { findViewer, type Viewer } from "./viewer.ts";
import type { Visit } from "./visit.ts";

export const SESSION = "svc_session";
const VISITOR = "svc_visitor";
export const NOTICE = "svc_notice";
export const BROWSER = "svc_browser";
/** The version of the font that this browser has loaded. */
export const FONT_COOKIE = "svc_font";
/** The cookie of a sign-in in progress at a provider. */
export const FLOW = "svc_flow";

/** The cookie scope: its path, and whether it requires TLS. */
export const cookieScope = (request: FastifyRequest, { config }: Pick<Services, "config">): CookieScope => ({
  secure: request.protocol === "https" || config.baseUrl?.startsWith("https:") === true,
  basePath: basePathOf(config),
});

/** The workspace that a request addresses: by the token of its page, or by name. */
interface RequestedWorkspace {
  readonly formToken?: string | null;
  readonly workspaceId?: string;
}

/**
 * The person behind a request's session, in the workspace that the sending page showed: another tab may have switched
 * workspaces since, and the form was not meant for that one.
 */
export const viewerOf = (
  request: FastifyRequest,
  services: Services,
  { formToken: given, workspaceId }: RequestedWorkspace = {},
): Promise<Viewer | undefined> =>
  findViewer(services, readCookie(request.headers.cookie, SESSION, cookieScope(request, services)), {
    address: request.ip,
    isRequested: (sessionHash, id) =>
      id === workspaceId || (given ? isFormToken(services.secret, bindingOf(sessionHash, id), given) : false),
  });

/** The binding of a signed-in person's forms. */
const bindingOf = (sessionHash: string, workspaceId: string): string => `${sessionHash}:${workspaceId}`;

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

export async function visitOf(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  workspaceId?: string,
): Promise<Visit> {
  const { config, secret } = services;
  const scope = cookieScope(request, services);
  const form = formOf(request);
  const askedIn = { formToken: form.get("form_token"), ...(workspaceId !== undefined && { workspaceId }) };
  const viewer = await viewerOf(request, services, askedIn);
  const isRead = request.method === "GET";
  if (!viewer && isRead) giveVisitorCookie(request, reply, scope);
  const newestEvent =
    viewer && isRead ? await eventReads(services.database.read).newest(viewer.workspace.id) : undefined;
  const [path, query] = splitOnce(request.url);
  const params = Object.entries(request.params as Record<string, string>);
  return {
    app: servicesFor(services, viewer?.rights),
    everywhere: services,
    api: pageClient(request, viewer),
    viewer,
    newestEvent,
    params: Object.fromEntries(params.map(([key, value]) => [key, cleanText(value)])),
    query: readFields(query),
    form,
    formToken: formToken(secret, boundTo(request, viewer, scope)),
    path,
    address: request.ip,
    browserMark: readCookie(request.headers.cookie, BROWSER, scope),
    flow: readCookie(request.headers.cookie, FLOW, scope),
    notice: readCookie(request.headers.cookie, NOTICE, scope),
    look: readLook(readCookie(request.headers.cookie, LOOK, scope)),
    fontVersion: readCookie(request.headers.cookie, FONT_COOKIE, scope),
    userAgent: cleanText((request.headers["user-agent"] ?? "").slice(0, 300)),
    baseUrl: baseUrlOf(request, config),
    requestId: request.id,
    headers: request.headers,
  };
}

const splitOnce = (url: string): [string, string] => {
  const at = url.indexOf("?");
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
};

/** Before there is a session, forms are bound to a random cookie that only this visitor has. */
function giveVisitorCookie(request: FastifyRequest, reply: FastifyReply, scope: CookieScope): void {
  if (readCookie(request.headers.cookie, VISITOR, scope)) return;
  const line = writeCookie(VISITOR, newSecret(), scope);
  reply.header("set-cookie", line);
  request.headers.cookie = [request.headers.cookie, line.split(";")[0]].filter(Boolean).join("; ");
}

function boundTo(request: FastifyRequest, viewer: Visit["viewer"], scope: CookieScope): string {
  if (viewer) return bindingOf(viewer.sessionHash, viewer.workspace.id);
  return readCookie(request.headers.cookie, VISITOR, scope) ?? "";
}

/** A form that one of our pages did not send, or not for this visitor. */
export class ForeignForm extends Error {}

/** Whether the form token belongs to the session and the browser confirms that one of our pages sent it. */
export function isProven(
  request: FastifyRequest,
  services: Services,
  viewer: Visit["viewer"],
  token: string | null,
): boolean {
  const bound = boundTo(request, viewer, cookieScope(request, services));
  const isTheirs = bound !== "" && isFormToken(services.secret, bound, token);
  return isTheirs && isFromHere(request.headers, request.host, services.config.baseUrl);
}

export function refuseForeignForm(request: FastifyRequest, visit: Visit): void {
  if (!isProven(request, visit.app, visit.viewer, visit.form.get("form_token"))) throw new ForeignForm();
}
