import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import { findFragment, hostSlugs } from "@svc/document/read/slugs";
import type { Node } from "@svc/document/types";
import { StoredBody } from "../../../bodies/body.ts";
import { loadSegments } from "../../../bodies/load-body.ts";
import { manifestOf } from "../../../bodies/manifest.ts";
import { findNamedPage, readNamedPages } from "../../library/links-by-name/read-pages.ts";
import { documentUri } from "./bundle-blocks.ts";
import type { ExportSource } from "./export-source.ts";
import { listBodies } from "./queries.ts";

/** The target of a link in a body: a document, and the anchor of a heading in its file. */
export interface LinkedPage {
  readonly id: string;
  /** Empty for the whole document. */
  readonly anchor: string;
}

interface Anchors {
  readonly texts: readonly string[];
  readonly slugs: readonly string[];
  readonly blocks: ReadonlyMap<string, number>;
}

/** Limit of cached documents, so that documents with many incoming links are read once. */
const MAX_DOCUMENTS = 500;

/** Resolves the links of documents. Reads the headings of a document only if a link leads into it. */
export class LinkFinder {
  readonly #source: ExportSource;
  readonly #isExported: (id: string) => boolean;
  readonly #anchors = new Map<string, Anchors>();

  constructor(source: ExportSource, isExported: (id: string) => boolean) {
    this.#source = source;
    this.#isExported = isExported;
  }

  /** Returns the pages that the addresses in a document's links lead to. */
  async find(documentId: string, blocks: readonly Node[]): Promise<ReadonlyMap<string, LinkedPage>> {
    const addresses = new Set<string>();
    addAddresses(blocks, addresses);
    const found = new Map<string, LinkedPage>();
    const others = [...addresses].filter((href) => !documentUri.test(href));
    const named = others.length === 0 ? new Map<string, string>() : await this.#named(documentId);
    for (const href of addresses) {
      const [, id, fragment = ""] = documentUri.exec(href) ?? [];
      const page = id === undefined ? findNamedPage(named, href) : { id, slug: fragment };
      if (page && this.#isExported(page.id))
        found.set(href, { id: page.id, anchor: await this.#anchor(page.id, page.slug) });
    }
    return found;
  }

  #named(documentId: string): Promise<ReadonlyMap<string, string>> {
    return readNamedPages(this.#source.db, this.#source.workspaceId, documentId);
  }

  async #anchor(id: string, fragment: string): Promise<string> {
    if (fragment === "") return "";
    const { texts, slugs, blocks } = this.#anchors.get(id) ?? (await this.#read(id));
    const block = /^block=(\w+)$/.exec(fragment)?.[1];
    const at = block === undefined ? findFragment(texts, fragment) : blocks.get(block);
    return at === undefined ? "" : defined(slugs[at]);
  }

  async #read(documentId: string): Promise<Anchors> {
    const { db, workspaceId } = this.#source;
    const row = (await listBodies(db, workspaceId, [documentId])).get(documentId);
    const segments = row && (await loadSegments(db, { workspaceId, documentId }, manifestOf(row), false));
    const headings = row && segments ? listHeadings(new StoredBody(row, segments).readOnce().content) : [];
    const texts = headings.map(({ text }) => text);
    const blocks = new Map(headings.map(({ block_id }, at) => [block_id, at]));
    const anchors = { texts, slugs: hostSlugs(texts), blocks };
    if (this.#anchors.size >= MAX_DOCUMENTS) this.#anchors.clear();
    this.#anchors.set(documentId, anchors);
    return anchors;
  }
}

function addAddresses(nodes: readonly Node[], addresses: Set<string>): void {
  for (const node of nodes) {
    for (const { type, attrs } of node.marks ?? [])
      if (type === "link" && typeof attrs?.href === "string") addresses.add(attrs.href);
    if (node.content) addAddresses(node.content, addresses);
  }
}
