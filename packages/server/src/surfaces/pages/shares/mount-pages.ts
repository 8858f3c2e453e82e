import { isRecord } from "@svc/document/guards";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readBody } from "../../../bodies/load-body.ts";
import type { ShareRow } from "../../../db/schema/tables/documents.ts";
import { findOpenShare } from "../../../domain/access/shares/queries.ts";
import { shareTokenHash } from "../../../domain/access/shares/token.ts";
import { download } from "../../../domain/content/attachments/download.ts";
import { getAttachment } from "../../../domain/content/attachments/queries.ts";
import { referencesOf } from "../../../domain/content/attachments/references.ts";
import { getDocument } from "../../../domain/library/documents/queries.ts";
import { ApiError, notFound } from "../../../errors.ts";
import { quoted, write } from "../../../http/answer.ts";
import { baseUrlOf, NO_STORE } from "../../../http/base-url.ts";
import { limitAddresses } from "../../../http/limits/limit-addresses.ts";
import { PUBLIC_BODY_BYTES } from "../../../http/mount.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { readFields } from "../../../http/wire/form-fields.ts";
import { send } from "../../../http/wire/send.ts";
import type { Services } from "../../../services.ts";
import { search } from "../../../views/search/search.ts";
import { answerRemotePicture, isProven } from "../rendering/remote-picture.ts";
import { answerOembed, type OembedQuery, oembedLink } from "./oembed.ts";
import {
  busyPage,
  icon,
  iconPath,
  missingPage,
  refusedPage,
  type SharePage,
  sharePage,
  stylesheet,
  stylesheetPath,
  troublePage,
} from "./page.ts";
import { isUnlocked, unlock } from "./password.ts";
import { PublicTexts } from "./public-texts.ts";
import { isInSite, readSite } from "./site.ts";
import { passwordPage, siteFound, siteHome, siteNavigation } from "./site-pages.ts";
import type { Site } from "./site-tree.ts";

interface ShareRoute {
  Params: { token: string; id?: string };
  Querystring: { q?: unknown; address?: unknown; proof?: unknown; load?: unknown };
}
type Visit = FastifyRequest<ShareRoute>;

const sendPage = (reply: FastifyReply, status: number, { html, headers }: SharePage): FastifyReply =>
  reply.code(status).headers(headers).type("text/html; charset=utf-8").send(html);

/** For addresses that change with their content. */
const FOR_EVER = "public, max-age=31536000, immutable";

const FILE = { config: { isFile: true } };

/** Serves `/s/<token>`, readable for anyone with the link. The only cookie is that of a link's password. */
export function mountSharePages(server: FastifyInstance, app: Services): void {
  server.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: PUBLIC_BODY_BYTES },
      (_request, body, done) => done(null, readFields(String(body))),
    );
    scope.setErrorHandler((error, request, reply) => answerError(app, error, request, reply));
    limitAddresses(scope, app);
    scope.get(stylesheetPath, FILE, (_request, reply) =>
      reply.header("cache-control", FOR_EVER).type("text/css; charset=utf-8").send(stylesheet),
    );
    scope.get(iconPath, FILE, (_request, reply) =>
      reply.header("cache-control", "public, max-age=86400").type("image/svg+xml").send(icon),
    );
    const texts = new PublicTexts(app);
    scope.addHook("onClose", texts.release);
    const page = (path: string, operation: string, show: Show) =>
      scope.get<ShareRoute>(path, { config: { operation } }, (request, reply) =>
        opened({ app, texts }, request, reply, show),
      );
    page("/s/:token", "share_page", showFirst);
    page("/s/:token/pages/:id", "share_site_page", showSitePage);
    page("/s/:token/search", "share_search", showFound);
    page("/s/:token/attachments/:id", "share_attachment", showAttachment);
    page("/s/:token/pictures", "share_picture", showPicture);
    scope.post<ShareRoute>("/s/:token", { config: { operation: "share_password" } }, (request, reply) =>
      takePassword(app, request, reply),
    );
    scope.get<{ Querystring: OembedQuery }>("/oembed", { config: { operation: "oembed" } }, (request, reply) =>
      answerOembed(app, request, reply),
    );
    scope.get("/s/*", (_request, reply) => sendPage(reply, 404, missingPage()));
  });
}

interface Parts {
  readonly app: Services;
  readonly texts: PublicTexts;
}

/** A request for a share that is open to this visitor. */
interface Open extends Parts {
  readonly share: ShareRow;
  readonly request: Visit;
  readonly reply: FastifyReply;
}
type Show = (open: Open) => Promise<FastifyReply>;

const find = ({ database }: Pick<Services, "database">, token: string): Promise<ShareRow | undefined> =>
  findOpenShare(database.read, shareTokenHash(token));

async function opened(parts: Parts, request: Visit, reply: FastifyReply, show: Show): Promise<FastifyReply> {
  const { token, id = "" } = request.params;
  const { app } = parts;
  const share = await find(app, token);
  if (!share) return sendPage(reply, 404, missingPage());
  if (share.password_hash === null) reply.header("link", oembedLink(request, app));
  if (isUnlocked(app, request, share)) return show({ ...parts, share, request, reply });
  return sendPage(reply, 401, passwordPage(token, /^doc_\w{1,64}$/.test(id) ? id : ""));
}

async function takePassword(app: Services, request: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const { token } = request.params;
  const share = await find(app, token);
  if (!share) return sendPage(reply, 404, missingPage());
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const page = /^doc_\w{1,64}$/.exec(form.get("page") ?? "")?.[0] ?? "";
  const tried = await unlock(app, request, share, form.get("password") ?? "");
  if (tried.waitMs > 0) {
    const seconds = Math.ceil(tried.waitMs / 1000);
    const problem = `Too many wrong passwords. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
    return sendPage(reply.header("retry-after", String(seconds)), 429, passwordPage(token, page, problem));
  }
  if (tried.cookie === undefined) return sendPage(reply, 401, passwordPage(token, page, "That password is wrong."));
  const location = `/s/${token}${page && `/pages/${page}`}`;
  return reply.header("set-cookie", tried.cookie).header("cache-control", "no-store").redirect(location, 303);
}

const siteOf = ({ app, share }: Open): Promise<Site> =>
  readSite(app.database.read, share.workspace_id, Number(share.folder_id));

async function showFirst(open: Open): Promise<FastifyReply> {
  const { share, reply, request } = open;
  if (share.document_id !== null) return showDocument(open, share.document_id);
  return sendPage(reply, 200, kept(share, siteHome(request.params.token, await siteOf(open))));
}

/** Around the page of a single document. */
const NO_PAGES: ReadonlyMap<string, string> = new Map();

/** A page behind a password must not be cached. */
const kept = ({ password_hash }: ShareRow, page: SharePage): SharePage =>
  password_hash === null ? page : { ...page, headers: { ...page.headers, "cache-control": "no-store" } };

async function showDocument({ app, texts, share, request, reply }: Open, id: string): Promise<FastifyReply> {
  const { token } = request.params;
  const document = await getDocument(app.database.read, share.workspace_id, id);
  // The page also shows the title and the date, which change with the time of the last change.
  const etag = `${document.version}.${document.updated_at}.${stylesheetPath}.${app.config.remotePictures}`;
  // Results of formulas such as NOW and TODAY change by themselves, so a spreadsheet's page has no ETag.
  const isSheet = document.document_type === "spreadsheet";
  if (!isSheet && alreadyHas(request.headers["if-none-match"], etag))
    return reply.code(304).header("etag", quoted(etag)).send();
  const baseUrl = baseUrlOf(request, app.config);
  const page = sharePage(document, await texts.read(share, document, { token, baseUrl, pages: NO_PAGES }));
  return sendPage(isSheet ? reply : reply.header("etag", quoted(etag)), 200, kept(share, page));
}

async function showSitePage(open: Open): Promise<FastifyReply> {
  const { app, texts, share, request, reply } = open;
  const { token, id = "" } = request.params;
  if (share.folder_id === null) throw notFound("page", id);
  const site = await siteOf(open);
  if (!site.titles.has(id)) throw notFound("page", id);
  const document = await getDocument(app.database.read, share.workspace_id, id);
  const text = await texts.read(share, document, {
    token,
    baseUrl: baseUrlOf(request, app.config),
    pages: site.titles,
  });
  const page = sharePage(document, text, siteNavigation(token, site, id));
  return sendPage(reply, 200, kept(share, page));
}

const HITS = 50;

/** Searches only the pages of the shared folder. */
async function showFound(open: Open): Promise<FastifyReply> {
  const { app, share, request, reply } = open;
  if (share.folder_id === null) throw notFound("page", "search");
  const site = await siteOf(open);
  const { token } = request.params;
  const q = typeof request.query.q === "string" ? request.query.q.replaceAll("\0", " ").trim() : "";
  try {
    const { hits } = await search(app, share.workspace_id, { q, folder_id: Number(share.folder_id), limit: HITS });
    return sendPage(reply, 200, kept(share, siteFound(token, site, q, hits)));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return sendPage(reply, 200, kept(share, siteFound(token, site, q, [], "Type a word to search for.")));
  }
}

/** Whether the link includes a document: its own, or one in its folder. */
async function shows({ app, share }: Open, documentId: string): Promise<boolean> {
  if (share.document_id !== null) return share.document_id === documentId;
  return isInSite(app.database.read, share.workspace_id, Number(share.folder_id), documentId);
}

/** Sends only files that a body uses now: a removed file is no longer public. */
async function showAttachment(open: Open): Promise<FastifyReply> {
  const { app, share, request, reply } = open;
  const { id = "" } = request.params;
  if (!/^\w{1,64}$/.test(id)) throw notFound("attachment", id);
  const row = await getAttachment(app.database.read, share.workspace_id, id);
  if (!(await shows(open, row.document_id))) throw notFound("attachment", id);
  const { blocks } = await readBody(app.database.read, {
    workspaceId: share.workspace_id,
    documentId: row.document_id,
  });
  if (!referencesOf(blocks).some((reference) => reference.attachmentId === row.id)) throw notFound("attachment", id);
  const answer = await download(app.blobs, row, request);
  const headers = { ...answer.headers, ...(share.password_hash !== null && NO_STORE) };
  return send(reply.header("x-robots-tag", "noindex, nofollow"), write({ ...answer, headers }, request.id));
}

/** A picture of another host, if a page of this link was made with it. */
async function showPicture({ app, share, request, reply }: Open): Promise<FastifyReply> {
  const { address, proof, load } = request.query;
  const wanted = typeof address === "string" ? address : "";
  const isAllowed =
    (app.config.remotePictures === "on" || load === "1") &&
    isProven(app.secret, `/s/${request.params.token}`, wanted, String(proof));
  const { headers, raw } = await answerRemotePicture(app, wanted, isAllowed, share.password_hash === null);
  return reply
    .headers({ ...headers, "x-robots-tag": "noindex, nofollow" })
    .type(raw.contentType)
    .send(raw.body);
}

function answerError(
  app: Pick<Services, "log">,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, headers } = error instanceof ApiError ? error : { status: statusIn(error), headers: {} };
  if (status === 404) return sendPage(reply, 404, missingPage());
  if (status === 429) return sendPage(reply.headers(headers), 429, busyPage());
  if (status === 416) return reply.code(416).headers(headers).send();
  if (status < 500) return sendPage(reply, status, refusedPage());
  app.log.error({ request_id: request.id, err: error }, "share page failed");
  return sendPage(reply.header("retry-after", "5"), 503, troublePage());
}

/** The status of the framework's own refusals, for example of a body that is too long. */
const statusIn = (error: unknown): number => {
  const status = isRecord(error) ? error.statusCode : undefined;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 503;
};
