import { type Html, html } from "../../../shared/html.ts";
import type { ManualHit } from "../../../shared/manual-search.ts";
import type { Page } from "../../../shared/page.ts";
import { plural } from "../../../shared/parts.ts";

interface ManualLink {
  readonly name: string;
  readonly title: string;
}

/** The address of a page of the manual: a route of the server, or a file of the static site. */
export type ManualAddress = (name: string, slug?: string) => string;

/** The parts around every page of the manual. */
export interface ManualFrame {
  readonly groups: readonly { readonly title: string; readonly pages: readonly ManualLink[] }[];
  /** The page shown; undefined on the search page. */
  readonly here: string | undefined;
  readonly q: string;
  readonly address: ManualAddress;
  /** A link out of the manual; absent on the static site. */
  readonly back?: { readonly href: string; readonly title: string } | undefined;
}

interface ManualHeading {
  readonly level: number;
  readonly slug: string;
  readonly title: string;
}

const linkTo = (frame: ManualFrame, { name, title }: ManualLink): Html =>
  html`<li><a href="${frame.address(name)}"${name === frame.here && html` aria-current="page"`}>${title}</a></li>`;

/** Groups are folded except the first one and the one with the page shown. */
const groupPart = (frame: ManualFrame, { title, pages }: ManualFrame["groups"][number], isFirst: boolean): Html =>
  html`<details class="reference-list"${(isFirst || pages.some(({ name }) => name === frame.here)) && html` open`}><summary>${title}</summary><ul class="plain">${pages.map((link) => linkTo(frame, link))}</ul></details>`;

const page = (frame: ManualFrame, title: string, main: Html): Page => ({
  title,
  shape: "wide",
  styles: ["reference.css"],
  main: html`<div class="reference">
<div class="reference-side">${frame.back && html`<p><a href="${frame.back.href}">← ${frame.back.title}</a></p>`}
<form class="reference-search" action="${frame.address("")}" role="search" aria-label="Documentation"><input type="search" name="q" value="${frame.q}" maxlength="200" autocomplete="off" aria-label="Search the documentation" placeholder="Search"><button class="button button-small">Find</button></form>
<nav class="reference-nav" aria-label="Documentation">${frame.groups.map((group, at) => groupPart(frame, group, at === 0))}</nav></div>
<div class="reference-main">${main}</div></div>`,
});

/** Pages with at least this many headings begin with a table of contents. */
const MIN_CONTENTS = 3;

const contentsPart = (headings: readonly ManualHeading[]): Html | undefined =>
  headings.length < MIN_CONTENTS
    ? undefined
    : html`<details class="reference-list manual-contents" open><summary>Contents</summary><ul class="plain">${headings.map(({ slug, title }) => html`<li><a href="#${slug}">${title}</a></li>`)}</ul></details>`;

interface ManualText {
  readonly frame: ManualFrame;
  readonly title: string;
  readonly headings: readonly ManualHeading[];
  readonly text: Html;
}

/** One page of the manual with its contents. */
export const manualPage = ({ frame, title, headings, text }: ManualText): Page =>
  page(frame, `${title}: documentation`, html`${contentsPart(headings)}<div class="prose">${text}</div>`);

/** The sections that contain every word of a query. */
export const manualSearchPage = (frame: ManualFrame, hits: readonly ManualHit[]): Page =>
  page(
    frame,
    `${frame.q}: documentation`,
    html`<h1>Search</h1><p class="hint">${plural(hits.length, "section")} for <strong><bdi>${frame.q}</bdi></strong></p>
${hits.length === 0 ? html`<p class="empty">No section has all of these words.</p>` : manualHits(hits, frame.address)}`,
  );

const manualHits = (hits: readonly ManualHit[], address: ManualAddress): Html =>
  html`<ul class="operation-list">${hits.map(
    ({ section, excerpt }) =>
      html`<li><a href="${address(section.page, section.slug)}">${section.pageTitle}${section.title !== section.pageTitle && html`: ${section.title}`}</a><span class="hint">${excerpt}</span></li>`,
  )}</ul>`;
