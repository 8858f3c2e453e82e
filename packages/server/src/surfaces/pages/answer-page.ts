import { defined } from "@svc/document/defined";
import { ApiError as Refusal } from "@svc/sdk";
import { assets, FONT } from "@svc/web/server/assets";
import { document } from "@svc/web/server/frame";
import { noticeText } from "@svc/web/server/notices";
import { messagePage } from "@svc/web/server/pages/message";
import type { Frame, Page } from "@svc/web/shared/page";
import { plural } from "@svc/web/shared/parts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { KNOWN_DAYS } from "../../domain/identity/sessions/known-addresses.ts";
import { toApiError } from "../../http/server.ts";
import type { Services } from "../../services.ts";
import { contentPolicy } from "./content-policy.ts";
import { writeCookie } from "./cookies.ts";
import { readNotice } from "./discussion/undo-decision.ts";
import { LOOK, lookText } from "./look.ts";
import { BROWSER, cookieScope, FLOW, FONT_COOKIE, ForeignForm, NOTICE, SESSION, visitOf } from "./request-visit.ts";
import { readSide } from "./side.ts";
import { isMember, type Outcome, type Visit } from "./visit.ts";

const sendHtml = (reply: FastifyReply, text: string): FastifyReply => reply.type("text/html; charset=utf-8").send(text);

/** How long a sign-in at a provider may take. */
const FLOW_SECONDS = 15 * 60;

/** A notice that no page has shown by then is dropped. */
const NOTICE_SECONDS = 60;

/** One year. */
const LOOK_SECONDS = 365 * 24 * 60 * 60;

export async function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  outcome: Outcome,
  /** For a page that answers a form: the address to read it from again. */
  readAt?: string,
): Promise<FastifyReply> {
  reply.code(outcome.status ?? 200).headers(outcome.headers ?? {});
  if (outcome.session !== undefined) {
    const maxAge = outcome.session === null ? 0 : Math.ceil(visit.app.config.sessionMaxDays * 24 * 60 * 60);
    const options = { ...cookieScope(request, visit.app), maxAge };
    reply.header("set-cookie", writeCookie(SESSION, outcome.session ?? "", options));
  }
  if (outcome.browserMark !== undefined) {
    const options = { ...cookieScope(request, visit.app), maxAge: KNOWN_DAYS * 24 * 60 * 60 };
    reply.header("set-cookie", writeCookie(BROWSER, outcome.browserMark, options));
  }
  if (outcome.flow !== undefined) {
    const options = { ...cookieScope(request, visit.app), maxAge: outcome.flow === null ? 0 : FLOW_SECONDS };
    reply.header("set-cookie", writeCookie(FLOW, outcome.flow ?? "", options));
  }
  if (outcome.look !== undefined) {
    const options = { ...cookieScope(request, visit.app), maxAge: LOOK_SECONDS };
    reply.header("set-cookie", writeCookie(LOOK, lookText(outcome.look), options));
  }
  if (outcome.notice !== undefined) {
    const options = { ...cookieScope(request, visit.app), maxAge: NOTICE_SECONDS };
    reply.header("set-cookie", writeCookie(NOTICE, outcome.notice, options));
  }
  if (outcome.location !== undefined) return reply.header("location", inAscii(outcome.location)).send();
  if (outcome.raw) return reply.type(outcome.raw.contentType).send(outcome.raw.body);
  const page = defined(outcome.page);
  if (page.css && !outcome.headers?.["content-security-policy"])
    reply.header("content-security-policy", contentPolicy({ css: page.css }));
  const font = assets.get(FONT)?.version;
  if (font !== undefined && visit.fontVersion !== font)
    reply.header(
      "set-cookie",
      writeCookie(FONT_COOKIE, font, { ...cookieScope(request, visit.app), maxAge: LOOK_SECONDS }),
    );
  if (visit.notice !== undefined)
    reply.header("set-cookie", writeCookie(NOTICE, "", { ...cookieScope(request, visit.app), maxAge: 0 }));
  return sendHtml(reply, document({ ...(await frameOf(visit, page)), readAt }, page).text);
}

/** Percent-encodes everything beyond ASCII, which a header cannot hold. */
const inAscii = (address: string): string => address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);

const frameOf = async (visit: Visit, page: Page): Promise<Frame> => {
  const { key, undo } = readNotice(visit.notice, visit.path);
  return {
    viewer: visit.viewer,
    newestEvent: visit.newestEvent,
    formToken: visit.formToken,
    path: visit.path,
    look: visit.look,
    hasFont: visit.fontVersion === assets.get(FONT)?.version,
    notice: noticeText(key),
    undo,
    side: isMember(visit) && page.shape !== "narrow" ? await readSide(visit) : undefined,
  };
};

const foreignForm = messagePage({
  title: "That form was not accepted",
  text: "The form is too old, or it was not sent from this site. Nothing was changed: go back, reload the page and try again.",
});

const titles: Record<number, string> = {
  403: "Not allowed",
  404: "Nothing here",
  413: "Too large",
  429: "Too many requests",
  503: "Back in a moment",
};

/** A failure, either ours or an answer of the API. */
interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const failureOf = (error: unknown): Failure => {
  if (!(error instanceof Refusal)) return toApiError(error);
  const { status, code, message, retryAfterMs } = error;
  return {
    status,
    code,
    message,
    ...(retryAfterMs && { headers: { "retry-after": String(Math.ceil(retryAfterMs / 1000)) } }),
  };
};

/** The API's own message, unless it is worded for programs. */
function textOf(error: Failure): string {
  if (error.status === 404) return "This page does not exist, or you have no access to it.";
  if (error.code === "insufficient_role") return "Your role does not allow this. Ask an owner of the workspace.";
  return error.message + waitText(error);
}

const errorPage = (error: Failure, requestId: string) =>
  messagePage({
    title: titles[error.status] ?? "That did not work",
    text: textOf(error),
    detail: error.status >= 500 ? `Request ${requestId}` : undefined,
    ...(error.code === "quota_exceeded" && { link: { href: "/usage", label: "See what is used" } }),
  });

const plainFrame: Frame = {
  viewer: undefined,
  formToken: "",
  path: "",
  notice: undefined,
};

/** How long to wait, if the refusal says so. */
function waitText({ headers }: Failure): string {
  const seconds = Number(headers?.["retry-after"]);
  if (!(seconds > 0)) return "";
  const [count, unit] = seconds < 120 ? [Math.ceil(seconds), "second"] : [Math.ceil(seconds / 60), "minute"];
  return ` Try again in ${plural(count, unit)}.`;
}

/** The frame around a refusal: the person's own, if it can be read. */
async function failureFrame(request: FastifyRequest, reply: FastifyReply, services: Services, status: number) {
  try {
    const visit = await visitOf(request, reply, services);
    if (!isMember(visit)) return plainFrame;
    const { viewer, formToken, path, look } = visit;
    const frame = { viewer, formToken, path, look, notice: undefined };
    // A rate-limited request should cost little, and a failing store is not read again.
    if (status === 429 || status >= 500) return frame;
    return { ...frame, side: await readSide(visit).catch(() => undefined) };
  } catch {
    return plainFrame;
  }
}

/** Shows any failure as a page. An unexpected error reveals nothing about the internals. */
export async function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> {
  if (error instanceof ForeignForm) return sendHtml(reply.code(403), document(plainFrame, foreignForm).text);
  const refusal = failureOf(error);
  if (refusal.status >= 500) services.log.error({ request_id: request.id, err: error }, "page failed");
  const page = errorPage(refusal, request.id);
  const frame = await failureFrame(request, reply, services, refusal.status);
  const text = document(frame, frame.viewer ? { ...page, shape: "wide" } : page).text;
  return sendHtml(reply.code(refusal.status).headers(refusal.headers ?? {}), text);
}
