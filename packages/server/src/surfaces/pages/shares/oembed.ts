import type { FastifyReply, FastifyRequest } from "fastify";
import { findOpenShare } from "../../../domain/access/shares/queries.ts";
import { shareTokenHash } from "../../../domain/access/shares/token.ts";
import { getDocument } from "../../../domain/library/documents/queries.ts";
import { ApiError } from "../../../errors.ts";
import { baseUrlOf } from "../../../http/base-url.ts";
import type { Services } from "../../../services.ts";
import { readSite } from "./site.ts";

export interface OembedQuery {
  readonly url?: unknown;
  readonly format?: unknown;
}

/** The addresses of public links: `/s/<token>` and the pages of a shared folder. */
const SHARED = /^\/s\/([\w-]{1,200})(?:\/pages\/(doc_\w{1,64}))?\/?$/;
/** Seconds that a consumer may keep an answer: a link can be closed at any time. */
const CACHE_SECONDS = 300;

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).header("cache-control", "no-store").send({ error: message });

/** The path of an address below this service; undefined for every other address. */
function pathBelow(address: unknown, baseUrl: string): string | undefined {
  if (typeof address !== "string" || address.length > 2048 || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, "");
  if (origin !== base.origin || !pathname.startsWith(`${prefix}/`)) return undefined;
  return pathname.slice(prefix.length);
}

/**
 * Describes a page with a public link, after oEmbed 1.0. Every other page of ours is private, whether it exists or not.
 */
export async function answerOembed(
  app: Services,
  request: FastifyRequest<{ Querystring: OembedQuery }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { url, format = "json" } = request.query;
  if (format !== "json") return refuse(reply, 501, "Only the format json is supported.");
  const baseUrl = baseUrlOf(request, app.config);
  const path = pathBelow(url, baseUrl);
  if (path === undefined) return refuse(reply, 404, "The address is not one of this service.");
  const [, token, page] = SHARED.exec(path) ?? [];
  if (token === undefined) return refuse(reply, 401, "The page is private.");
  const found = await titleOf(app, token, page);
  if (found === "private") return refuse(reply, 401, "The page is private.");
  if (found === undefined) return refuse(reply, 404, "There is no page at this address.");
  const answer = {
    version: "1.0",
    type: "link",
    title: found.title,
    provider_name: "svc",
    provider_url: baseUrl,
    cache_age: CACHE_SECONDS,
  };
  return reply.header("cache-control", `public, max-age=${CACHE_SECONDS}`).send(answer);
}

/** The title of the page that a link shows; undefined if the link does not show it. */
async function titleOf(
  { database: { read } }: Services,
  token: string,
  page: string | undefined,
): Promise<{ readonly title: string } | "private" | undefined> {
  const share = await findOpenShare(read, shareTokenHash(token));
  if (!share) return undefined;
  if (share.password_hash !== null) return "private";
  try {
    if (share.document_id !== null)
      return page === undefined ? await getDocument(read, share.workspace_id, share.document_id) : undefined;
    const { folder, titles } = await readSite(read, share.workspace_id, Number(share.folder_id));
    const title = page === undefined ? folder.name : titles.get(page);
    return title === undefined ? undefined : { title };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The header by which programs find the description of a page. */
export const oembedLink = (request: FastifyRequest, app: Services): string => {
  const baseUrl = baseUrlOf(request, app.config);
  const path = request.url.split("?")[0]?.replace(/^.*(?=\/s\/)/, "") ?? "";
  const address = `${baseUrl}/oembed?format=json&url=${encodeURIComponent(baseUrl + path)}`;
  return `<${address}>; rel="alternate"; type="application/json+oembed"`;
};
