import { html, type Part } from "../../../shared/html.ts";
import { icon } from "../../../shared/icons.ts";
import type { Named, Page } from "../../../shared/page.ts";
import { confirm, copyable, form } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

interface Link {
  readonly kind: "document" | "folder";
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly maker: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly hasPassword: boolean;
}

interface Links {
  readonly formToken: string;
  /** The knowledge base whose links these are; undefined for the whole workspace. */
  readonly knowledgeBase: Named | undefined;
  readonly links: readonly Link[];
  readonly next: string | undefined;
  readonly now: number;
}

export const publicLinksPage = (input: Links): Page => ({
  title: "Public links",
  shape: "settings",
  main: html`<nav aria-label="Path"><ol class="trail">${trail(input)}</ol></nav>
<h1>Public links</h1>
<p class="lead">Anyone with one of these links can read the page or folder, without an account and regardless of roles.</p>
<section class="card" aria-label="Links">
${input.links.length === 0 ? html`<p class="empty">Nothing is public.</p>` : html`<ul class="rows">${input.links.map((link) => row(link, input))}</ul>`}
${input.next && html`<p><a class="button" href="${input.next}">Older</a></p>`}</section>`,
});

const trail = ({ knowledgeBase: base }: Links): Part =>
  base
    ? html`<li><a href="/knowledge-bases/${base.id}"><bdi>${base.name}</bdi></a></li><li><a href="/knowledge-bases/${base.id}/access">Access</a></li>`
    : html`<li><a href="/members">Members</a></li>`;

const row = (link: Link, { formToken, knowledgeBase, now }: Links): Part =>
  html`<li class="row"><div class="row-main"><p class="row-title">${icon(link.kind)} <a href="/${link.kind}s/${link.id}"><bdi>${link.title}</bdi></a> ${link.hasPassword && html`<span class="tag">password</span>`}</p>
<p class="row-facts"><span>Created ${time(link.createdAt, now)} by <bdi>${link.maker ?? "a former member"}</bdi></span><span>${link.expiresAt === null ? "Does not expire" : html`Expires ${time(link.expiresAt, now)}`}</span></p>
${copyable(`link-${link.id}`, `Link to ${link.title}`, link.url)}</div>
${confirm(
  "End",
  "The link stops working for everyone who has it.",
  form(
    "/public-links/end",
    formToken,
    html`<input type="hidden" name="kind" value="${link.kind}">${knowledgeBase && html`<input type="hidden" name="base" value="${knowledgeBase.id}">`}<button class="button button-danger" name="id" value="${link.id}">End the link to ${link.title}</button>`,
  ),
)}</li>`;
