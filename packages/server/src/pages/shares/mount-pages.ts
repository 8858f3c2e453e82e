import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readBody } from "../../bodies/body.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { ApiError } from "../../errors.ts";
import { quoted, write } from "../../http/answer.ts";
import { limitAddresses } from "../../http/limit-addresses.ts";
import { alreadyHas } from "../../http/preconditions.ts";
import { send } from "../../http/send.ts";
import { download } from "../../resources/attachments/download.ts";
import { getAttachment } from "../../resources/attachments/queries.ts";
import { referencesOf } from "../../resources/attachments/references.ts";
import { findSharedDocument } from "../../resources/shares/queries.ts";
import { shareTokenHash } from "../../resources/shares/token.ts";
import type { Services } from "../../services.ts";
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

type Visit = FastifyRequest<{ Params: { token: string; id: string } }>;

const sendPage = (reply: FastifyReply, status: number, { html, headers }: SharePage): FastifyReply =>
  reply.code(status).headers(headers).type("text/html; charset=utf-8").send(html);

/** Its address changes with its content. */
const FOR_EVER = "public, max-age=31536000, immutable";

const FILE = { config: { isFile: true } };

/** `/s/<token>`: what anyone may read who has the link. No cookie is read and none is set. */
export function mountSharePages(server: FastifyInstance, app: Services): void {
  server.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => answerError(app, error, request, reply));
    limitAddresses(scope, app);
    scope.get(stylesheetPath, FILE, (_request, reply) =>
      reply.header("cache-control", FOR_EVER).type("text/css; charset=utf-8").send(stylesheet),
    );
    scope.get(iconPath, FILE, (_request, reply) =>
      reply.header("cache-control", "public, max-age=86400").type("image/svg+xml").send(icon),
    );
    scope.get("/s/:token", { config: { operation: "share_page" } }, (request, reply) =>
      showPage(app, request as Visit, reply),
    );
    scope.get("/s/:token/attachments/:id", { config: { operation: "share_attachment" } }, (request, reply) =>
      showAttachment(app, request as Visit, reply),
    );
    scope.get("/s/*", (_request, reply) => sendPage(reply, 404, missingPage()));
  });
}

const find = ({ database }: Services, token: string): Promise<DocumentRow | undefined> =>
  findSharedDocument(database.read, shareTokenHash(token));

const bodyOf = ({ database }: Services, { workspace_id, id }: DocumentRow) =>
  readBody(database.read, { workspaceId: workspace_id, documentId: id });

async function showPage(app: Services, request: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const { token } = request.params;
  const document = await find(app, token);
  if (!document) return sendPage(reply, 404, missingPage());
  // The title and the date stand on the page too, and both change with the time of the last change.
  const etag = `${document.version}.${document.updated_at}.${stylesheetPath}`;
  if (alreadyHas(request.headers["if-none-match"], etag)) return reply.code(304).header("etag", quoted(etag)).send();
  const page = await sharePage(document, (await bodyOf(app, document)).body, token);
  return sendPage(reply.header("etag", quoted(etag)), 200, page);
}

/** Only what the body shows now: a file that was taken out of it is no longer public. */
async function showAttachment(app: Services, request: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const document = await find(app, request.params.token);
  if (!document || !/^\w{1,64}$/.test(request.params.id)) return sendPage(reply, 404, missingPage());
  const row = await getAttachment(app.database.read, document.workspace_id, request.params.id);
  const { blocks } = await bodyOf(app, document);
  const isShown = row.document_id === document.id && referencesOf(blocks).some((r) => r.attachmentId === row.id);
  if (!isShown) return sendPage(reply, 404, missingPage());
  const answer = await download(app.blobs, row, request);
  return send(reply.header("x-robots-tag", "noindex, nofollow"), write(answer, request.id));
}

function answerError(app: Services, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error instanceof ApiError ? error.status : 503;
  if (status === 404) return sendPage(reply, 404, missingPage());
  if (status === 429) return sendPage(reply.headers((error as ApiError).headers), 429, busyPage());
  if (status === 416)
    return reply
      .code(416)
      .headers((error as ApiError).headers)
      .send();
  if (status < 500) return sendPage(reply, status, refusedPage());
  app.log.error({ request_id: request.id, err: error }, "share page failed");
  return sendPage(reply.header("retry-after", "5"), 503, troublePage());
}
