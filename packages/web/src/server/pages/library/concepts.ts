import { html, type Part } from "../../../shared/html.ts";
import type { Named, Page } from "../../../shared/page.ts";
import { plural } from "../../../shared/parts.ts";
import { languageName } from "../document/languages.ts";
import { conceptGraph, type GraphEdge, type GraphNode } from "./concept-graph.ts";

interface ConceptItem {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly sources: number;
  readonly relations: number;
}

interface Concepts {
  readonly bases: readonly Named[];
  readonly base: number | undefined;
  readonly q: string;
  readonly concepts: readonly ConceptItem[];
  readonly next: string | undefined;
}

export const conceptsPage = (input: Concepts): Page => ({
  title: "Concepts",
  main: html`<h1>Concepts</h1>
<p class="lead">The terms of this workspace: what they are called, which pages speak of them, and how they relate.</p>
<form class="find-form" action="/concepts" role="search" aria-label="Concepts">
<label>Name <input type="search" name="q" value="${input.q}" maxlength="500"></label>
<label>Knowledge base <select name="base"><option value="">All</option>${input.bases.map(({ id, name }) => html`<option value="${id}" ${id === input.base && html`selected`}>${name}</option>`)}</select></label>
<button class="button">Show</button></form>
<section class="card" aria-label="Concepts">${
    input.concepts.length === 0
      ? html`<p class="empty">${input.q === "" ? html`No concepts yet. <a href="/review">Find concepts</a> in titles and links.` : "No concept has that name."}</p>`
      : html`<ul class="rows">${input.concepts.map(conceptRow)}</ul>`
  }${input.next && html`<p><a class="button" href="${input.next}">More</a></p>`}</section>`,
});

const conceptRow = (concept: ConceptItem): Part =>
  html`<li class="row"><div class="row-main"><p class="row-title"><a href="/concepts/${concept.id}"><bdi>${concept.name}</bdi></a></p><p class="row-facts">${concept.description !== "" && html`<span dir="auto">${concept.description}</span>`}<span>${plural(concept.sources, "piece")} of evidence</span><span>${plural(concept.relations, "relation")}</span></p></div></li>`;

interface Evidence {
  readonly documentId: string;
  readonly blockId: string | null;
  readonly title: string;
  readonly isStale: boolean;
  readonly isGone: boolean;
}

interface OneConcept {
  readonly name: string;
  readonly base: Named | undefined;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly labels: readonly { readonly locale: string; readonly name: string; readonly description: string }[];
  readonly canonical: { readonly id: string; readonly title: string } | undefined;
  readonly evidence: readonly Evidence[];
  /** The total counts, including entries beyond `evidence` and `relations`. */
  readonly evidenceCount: number;
  readonly relationCount: number;
  readonly relations: readonly {
    readonly predicate: string;
    readonly isOutgoing: boolean;
    readonly id: string;
    readonly name: string;
  }[];
  readonly graph: { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] };
}

export const conceptPage = (input: OneConcept): Page => ({
  title: input.name,
  main: html`<p><a href="/concepts">Concepts</a>${input.base && html` · <a href="/knowledge-bases/${input.base.id}"><bdi>${input.base.name}</bdi></a>`}</p>
<h1><bdi>${input.name}</bdi></h1>
${input.description !== "" && html`<p class="lead" dir="auto">${input.description}</p>`}
${input.canonical && html`<p>Described in <a href="/documents/${input.canonical.id}"><bdi>${input.canonical.title}</bdi></a>.</p>`}
<div class="columns columns-wide-left">
<section class="card" aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>${
    input.evidence.length === 0
      ? html`<p class="empty">No page is named as evidence.</p>`
      : html`<ul class="rows">${input.evidence.map(evidenceRow)}</ul>${moreThan(input.evidence, input.evidenceCount)}`
  }</section>
<section class="card" aria-labelledby="names"><h2 id="names">Names</h2>${
    input.aliases.length + input.labels.length === 0
      ? html`<p class="empty">No other names.</p>`
      : html`<ul class="plain">${input.aliases.map((alias) => html`<li><bdi>${alias}</bdi></li>`)}${input.labels.map((label) => html`<li><bdi>${label.name}</bdi> <span class="tag">${languageName(label.locale)}</span>${label.description && html`<small dir="auto">${label.description}</small>`}</li>`)}</ul>`
  }</section></div>
<section class="card" aria-labelledby="relations"><h2 id="relations">Relations</h2>${
    input.relations.length === 0
      ? html`<p class="empty">No relation to another concept.</p>`
      : html`<div class="relations"><div><ul class="plain">${input.relations.map(
          (relation) =>
            html`<li>${relationWords(relation)} <a href="/concepts/${relation.id}"><bdi>${relation.name}</bdi></a></li>`,
        )}</ul>${moreThan(input.relations, input.relationCount)}</div>${conceptGraph(input.graph.nodes, input.graph.edges)}</div>`
  }</section>`,
});

/** A concept may have tens of thousands of either; the page shows the latest. */
const moreThan = (shown: readonly unknown[], count: number): Part =>
  count > shown.length && html`<p class="hint">And ${(count - shown.length).toLocaleString("en-US")} more.</p>`;

/** How a relation reads from its other end. */
const inverses: Readonly<Record<string, string>> = {
  broader_than: "narrower than",
  alias_of: "has the alias",
};

const relationWords = ({ predicate, isOutgoing }: { readonly predicate: string; readonly isOutgoing: boolean }) =>
  (isOutgoing ? undefined : inverses[predicate]) ?? predicate.replaceAll("_", " ");

const evidenceRow = (item: Evidence): Part =>
  html`<li class="row"><div class="row-main"><p class="row-title">${
    item.isGone
      ? html`<bdi>${item.title}</bdi>`
      : html`<a href="/documents/${item.documentId}${item.blockId && html`?block=${item.blockId}#${item.blockId}`}"><bdi>${item.title}</bdi></a>`
  }</p>${item.isGone ? html`<p class="row-facts">This no longer exists.</p>` : item.isStale && html`<p class="row-facts">The text has changed since.</p>`}</div></li>`;
