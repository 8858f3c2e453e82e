import { withResults } from "@svc/document/sheet/with-results";
import type { Workbook } from "@svc/document/sheet/workbook";
import type { Body } from "@svc/document/types";
import { type Html, trusted } from "@svc/web/shared/html";
import type { StoredBody } from "../../../bodies/body.ts";
import { computedBook } from "../../../domain/content/spreadsheets/computed-book.ts";
import { runAside } from "../../../threads/pool.ts";
import type { PublicPlace } from "../shares/follow-links.ts";
import { type RenderedPublic, renderPublic } from "../shares/render-public.ts";
import {
  type MembersPlace,
  type RenderedText,
  renderMembers,
  type renderMembersAside,
  type renderPublicAside,
  type SentBody,
} from "./render-worker.ts";

type Tasks = {
  readonly renderMembersAside: typeof renderMembersAside;
  readonly renderPublicAside: typeof renderPublicAside;
};

const WORKER = new URL("./render-worker.ts", import.meta.url);
const DEADLINE_MS = 30_000;

/** Bytes of ordinary text that take some 30 ms to render. */
const MAX_WEIGHT = 400_000;
/** Colouring code and setting formulas take so many times longer. */
const HEAVY = 15;
const HEAVY_TYPES = /"type":"(?:codeBlock|inlineMath|blockMath)"/;

/** Whether rendering a body could keep other requests waiting. */
export const isHeavy = ({ segments }: Pick<StoredBody, "segments">): boolean =>
  segments.reduce((sum, { json }) => sum + json.length * (HEAVY_TYPES.test(json) ? HEAVY : 1), 0) > MAX_WEIGHT;

/** The results of a spreadsheet. */
async function bookOf(stored: StoredBody, now: number): Promise<Workbook | undefined> {
  return stored.documentType === "spreadsheet" ? computedBook(stored, now) : undefined;
}

const shownBody = ({ body }: StoredBody, book: Workbook | undefined): Body =>
  book ? { ...body, content: withResults(body.content, book) } : body;

const sentBody = (stored: StoredBody, book: Workbook | undefined, now: number): SentBody => ({
  json: stored.json,
  results: book?.results(),
  now,
});

/** A body as members read it. */
export async function renderStored(
  stored: StoredBody,
  place: MembersPlace,
): Promise<{ readonly html: Html; readonly css: string }> {
  const now = Date.now();
  const book = await bookOf(stored, now);
  const { html, css }: RenderedText = isHeavy(stored)
    ? await runAside<Tasks, "renderMembersAside">(
        WORKER,
        "renderMembersAside",
        { sent: sentBody(stored, book, now), place },
        DEADLINE_MS,
      )
    : await renderMembers(shownBody(stored, book), place);
  return { html: trusted(html), css };
}

/** A body as strangers read it; `isFixed`: it does not change with the time. */
export async function renderStoredPublic(
  stored: StoredBody,
  place: PublicPlace,
): Promise<RenderedPublic & { readonly isFixed: boolean }> {
  const now = Date.now();
  const book = await bookOf(stored, now);
  const isFixed = book?.results().isVolatile !== true;
  if (!isHeavy(stored)) return { ...(await renderPublic(shownBody(stored, book), place)), isFixed };
  const input = { sent: sentBody(stored, book, now), place };
  return {
    ...(await runAside<Tasks, "renderPublicAside">(WORKER, "renderPublicAside", input, DEADLINE_MS)),
    isFixed,
  };
}
