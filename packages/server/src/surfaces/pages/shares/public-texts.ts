import { readBody } from "../../../bodies/load-body.ts";
import type { DocumentRow, ShareRow } from "../../../db/schema/tables/documents.ts";
import { readNamedPages } from "../../../domain/library/links-by-name/read-pages.ts";
import { RateLimiter, rateLimited } from "../../../http/limits/rate-limit.ts";
import type { Services } from "../../../services.ts";
import { picturePlace } from "../rendering/picture-place.ts";
import { isHeavy, renderStoredPublic } from "../rendering/render-page.ts";
import { showPictures } from "../rendering/shown-pictures.ts";
import type { PublicPlace } from "./follow-links.ts";
import { keptPage, type PublicText, pageKey } from "./kept-pages.ts";
import { shareFileUrl } from "./render-public.ts";

/** One link may cause so many times fewer renderings of long pages than an address may send requests. */
const REQUESTS_PER_RENDERING = 50;

/** Bodies as strangers read them. They are rendered once; a link has a limit for those that take long. */
export class PublicTexts {
  readonly #app: Pick<Services, "database" | "config" | "secret">;
  readonly #limiter: RateLimiter;

  constructor(app: Pick<Services, "database" | "config" | "secret">) {
    const { database, config } = app;
    this.#app = app;
    const limit = Math.ceil(config.rateLimit / REQUESTS_PER_RENDERING);
    this.#limiter = new RateLimiter(database, limit, config.rateLimitWindowS);
  }

  release = (): Promise<void> => this.#limiter.release().catch(() => undefined);

  async read(
    share: ShareRow,
    { workspace_id: workspaceId, id }: DocumentRow,
    link: Omit<PublicPlace, "named">,
  ): Promise<PublicText> {
    const { read } = this.#app.database;
    const stored = await readBody(read, { workspaceId, documentId: id });
    const place = { ...link, named: await readNamedPages(read, workspaceId, id) };
    return keptPage(pageKey(read, id, stored.version, place), async () => {
      if (isHeavy(stored)) await this.#takePermit(share);
      const rendered = await renderStoredPublic(stored, place);
      const pictures = await picturePlace(this.#app, {
        workspaceId,
        blocks: stored.blocks,
        path: `/s/${link.token}`,
        fileUrl: (attachmentId) => shareFileUrl(link.token, attachmentId),
      });
      return { ...rendered, html: showPictures(rendered.html, pictures) };
    });
  }

  async #takePermit({ token_hash }: ShareRow): Promise<void> {
    const allowance = await this.#limiter.take(`rendering:${token_hash}`);
    if (!allowance.admitted) throw rateLimited(allowance);
  }
}
