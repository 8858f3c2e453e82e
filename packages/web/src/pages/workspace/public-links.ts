import { html, type Part } from "../../html.ts";
import { icon } from "../../icons.ts";
import type { Page } from "../../page.ts";
import { confirm, copyable, form } from "../../parts.ts";
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
  readonly links: readonly Link[];
  readonly next: string | undefined;
  readonly now: number;
}

export const publicLinksPage = (input: Links): Page => ({
  title: "Public links",
  main: html`<nav aria-label="Path"><ol class="trail"><li><a href="/members">Members</a></li></ol></nav>
<h1>Public links</h1>
<p class="lead">Whoever has one of these links can read what it shows, without an account.</p>
<section class="card" aria-label="Links">
${input.links.length === 0 ? html`<p class="empty">Nothing is public.</p>` : html`<ul class="rows">${input.links.map((link) => row(link, input))}</ul>`}
${input.next && html`<p><a class="button" href="${input.next}">Older</a></p>`}</section>`,
});

const row = (link: Link, { formToken, now }: Links): Part =>
  html`<li class="row"><div class="row-main"><p class="row-title">${icon(link.kind)} <a href="/${link.kind}s/${link.id}"><bdi>${link.title}</bdi></a> ${link.hasPassword && html`<span class="tag">password</span>`}</p>
<p class="row-facts"><span>Made ${time(link.createdAt, now)} by <bdi>${link.maker ?? "somebody who is gone"}</bdi></span><span>${link.expiresAt === null ? "Does not expire" : html`Ends ${time(link.expiresAt, now)}`}</span></p>
${copyable(`link-${link.id}`, `Link to ${link.title}`, link.url)}</div>
${confirm(
  "End",
  "The link stops working for everyone who has it.",
  form(
    "/public-links/end",
    formToken,
    html`<input type="hidden" name="kind" value="${link.kind}"><button class="button button-danger" name="id" value="${link.id}">End the link to ${link.title}</button>`,
  ),
)}</li>`;
