/** Runs in threads of the pool; pages that take little time are rendered by the same functions in the main thread. */
import { withPageTitles } from "@svc/document/read/page-titles";
import { sheetsOf } from "@svc/document/sheet/table-source";
import { withResults } from "@svc/document/sheet/with-results";
import { type BookResults, Workbook } from "@svc/document/sheet/workbook";
import type { Body } from "@svc/document/types";
import type { PublicPlace } from "../shares/follow-links.ts";
import { type RenderedPublic, renderPublic } from "../shares/render-public.ts";
import { forMembersWith, renderBlocks } from "./render-blocks.ts";

/** A body as text, which reaches a thread faster than its blocks. */
export interface SentBody {
  readonly json: string;
  /** Set for a spreadsheet only. */
  readonly results: BookResults | undefined;
  readonly now: number;
}

/** Whatever the page of a member shows beside the body itself. */
export interface MembersPlace {
  /** Titles of linked documents, by id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Documents that links name by their titles. */
  readonly pages: ReadonlyMap<string, string>;
  readonly target?: { readonly position: number; readonly id: string } | undefined;
}

export interface RenderedText {
  readonly html: string;
  readonly css: string;
}

export async function renderMembers(body: Body, { titles, pages, target }: MembersPlace): Promise<RenderedText> {
  const { html, css } = await renderBlocks(withPageTitles(body, titles), { urls: forMembersWith(pages), target });
  return { html: html.text, css };
}

function receivedBody({ json, results, now }: SentBody): Body {
  const body: Body = JSON.parse(json);
  if (!results) return body;
  return { ...body, content: withResults(body.content, new Workbook(sheetsOf(body.content), { now, results })) };
}

export const renderMembersAside = ({ sent, place }: { sent: SentBody; place: MembersPlace }): Promise<RenderedText> =>
  renderMembers(receivedBody(sent), place);

export const renderPublicAside = ({ sent, place }: { sent: SentBody; place: PublicPlace }): Promise<RenderedPublic> =>
  renderPublic(receivedBody(sent), place);
