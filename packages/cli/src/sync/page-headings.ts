import { defined } from "@svc/document/defined";
import { type Heading, listHeadings } from "@svc/document/read/headings";
import { findFragment, hostSlugs } from "@svc/document/read/slugs";
import type { Client } from "@svc/sdk";

const BLOCK = "block=";

/** The headings of the documents that links lead into, each read once. */
export class PageHeadings {
  readonly #client: Client;
  readonly #signal: AbortSignal | undefined;
  readonly #pages = new Map<string, Promise<readonly Heading[]>>();

  constructor(client: Client, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#signal = signal;
  }

  /** The fragment of a document's address for one of its file's: `block=…` for a heading that is there. */
  async toDocument(id: string, fragment: string): Promise<string> {
    if (fragment === "" || fragment.startsWith(BLOCK)) return fragment;
    const headings = await this.#read(id);
    const found = findFragment(
      headings.map(({ text }) => text),
      fragment,
    );
    return found === undefined ? fragment : BLOCK + defined(headings[found]).block_id;
  }

  /** And back: the anchor that Git hosts give the heading; of any other block the id remains. */
  async toFile(id: string, fragment: string): Promise<string> {
    if (!fragment.startsWith(BLOCK)) return fragment;
    const headings = await this.#read(id);
    const found = headings.findIndex(({ block_id }) => block_id === fragment.slice(BLOCK.length));
    return hostSlugs(headings.map(({ text }) => text))[found] || fragment;
  }

  /** After the document was written. */
  forget(id: string): void {
    this.#pages.delete(id);
  }

  #read(id: string): Promise<readonly Heading[]> {
    const cached = this.#pages.get(id);
    if (cached) return cached;
    const reading = this.#client
      .get("/documents/{id}/content", { path: { id }, query: {}, signal: this.#signal })
      .then(({ data }) => listHeadings(data.document?.content ?? []));
    this.#pages.set(id, reading);
    return reading;
  }
}
