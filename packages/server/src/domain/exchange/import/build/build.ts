import { setImmediate as turn } from "node:timers/promises";
import { DocumentError } from "@svc/document/errors";
import { ImportRefused } from "../../../../archives/refused.ts";
import type { JobControl } from "../../../../jobs/job-control.ts";
import type { Built } from "../../../../services/importer.ts";
import type { ImportPlan, PlannedDocument } from "../plan.ts";
import type { Builder } from "./builder.ts";
import { LostLinks } from "./lost-links.ts";
import { type ReadDocument, type ReadingTools, type ReadyDocument, readDocument } from "./ready-document.ts";

const DOCUMENTS_PER_TRANSACTION = 25;
/** Files of one batch are stored before its transaction; a batch is closed early when it has many. */
const FILES_PER_TRANSACTION = 50;
/** Max blocks: beyond 2,000, indexing moves to the background, which would read the blocks again. */
const BLOCKS_PER_TRANSACTION = 1200;

/** Reads the documents of an archive one by one and passes them to the builder in batches. */
export async function build(
  tools: Omit<ReadingTools, "loose">,
  plan: ImportPlan,
  builder: Builder,
  control: JobControl,
): Promise<Built> {
  const { folders, graph } = tools.building;
  const loose = new Set<string>();
  const tally = new Tally((key) => graph.relations.get(key)?.length ?? 0, plan.files ?? []);
  const batches = new Batches(builder, async (documents) => {
    for (const { attachments } of documents) for (const { blob_key } of attachments) loose.delete(blob_key);
    tally.add(documents);
    await control.report({ documents_total: plan.documents.length, documents_done: tally.documents });
  });
  try {
    await batches.begin();
    for (const planned of plan.documents) {
      control.signal.throwIfAborted();
      const reading = await readDocument({ ...tools, loose }, planned).catch(namedAfter(planned.key));
      tally.note(planned.key, reading);
      await batches.add(reading);
      await turn();
    }
    await batches.end();
  } catch (error) {
    const earlier = await batches.failure();
    for (const key of loose) await tools.app.blobs.delete(key).catch(() => undefined);
    throw earlier ?? error;
  }
  await builder.build({ kind: "concepts" });
  for (const { folderKey, load } of plan.summaries ?? [])
    await builder.build({ kind: "summaries", folderKey, summaries: await load() });
  return { folders: folders.length, concepts: graph.concepts.length, ...tally.counts() };
}

/** Names the archive's page in the error of a document that cannot be created. */
const namedAfter = (key: PlannedDocument["key"]) => (error: unknown) => {
  throw error instanceof DocumentError
    ? new ImportRefused(error.code, `${key.slice(0, 200)}: ${error.message}`)
    : error;
};

/** Documents waiting to be stored. If another thread stores them, this one reads the next ones at the same time. */
class Batches {
  readonly #builder: Builder;
  readonly #stored: (documents: readonly ReadyDocument[]) => Promise<void>;
  #documents: ReadyDocument[] = [];
  #blocks = 0;
  #files = 0;
  #storing: Promise<void> = Promise.resolve();

  constructor(builder: Builder, stored: (documents: readonly ReadyDocument[]) => Promise<void>) {
    this.#builder = builder;
    this.#stored = stored;
  }

  /** Stores the folders first. */
  begin(): Promise<void> {
    return this.#run(() => this.#builder.build({ kind: "folders" }));
  }

  async add({ document, blocks }: ReadDocument): Promise<void> {
    this.#documents.push(document);
    this.#blocks += blocks;
    this.#files += document.attachments.length;
    const isFull = this.#documents.length >= DOCUMENTS_PER_TRANSACTION || this.#blocks >= BLOCKS_PER_TRANSACTION;
    if (isFull || this.#files >= FILES_PER_TRANSACTION) await this.#flush();
  }

  async end(): Promise<void> {
    if (this.#documents.length > 0) await this.#flush();
    await this.#storing;
  }

  /** Waits for the running store and returns its error, if it failed. */
  failure(): Promise<unknown> {
    return this.#storing.then(
      () => undefined,
      (error) => error,
    );
  }

  #flush(): Promise<void> {
    const documents = this.#documents;
    [this.#documents, this.#blocks, this.#files] = [[], 0, 0];
    return this.#run(() => this.#store(documents));
  }

  /** Runs one store at a time. A failure is rethrown to the next caller. */
  async #run(store: () => Promise<void>): Promise<void> {
    await this.#storing;
    this.#storing = store();
    this.#storing.catch(() => undefined);
    // If this thread stores, finish the transaction before reading on: reading during it would only prolong it.
    if (!this.#builder.isAside) await this.#storing;
  }

  async #store(documents: readonly ReadyDocument[]): Promise<void> {
    await this.#builder.build({ kind: "documents", documents });
    await this.#stored(documents);
  }
}

const MAX_WARNINGS = 200;
const MAX_NAMES = 20;

/** Totals of all documents. */
class Tally {
  readonly #relationsOf: (key: PlannedDocument["key"]) => number;
  readonly #warnings: string[] = [];
  #moreWarnings = 0;
  #attachments = 0;
  #relations = 0;
  #resolved = 0;
  readonly #lost = new LostLinks();
  /** Files that no document has included so far. */
  readonly #files: Set<string>;
  documents = 0;

  constructor(relationsOf: (key: PlannedDocument["key"]) => number, files: readonly string[]) {
    this.#relationsOf = relationsOf;
    this.#files = new Set(files);
  }

  /** Records a document that was read. Beyond the limit, warnings are only counted. */
  note(page: string, { links, files, warnings }: ReadDocument): void {
    for (const path of files) this.#files.delete(path);
    this.#resolved += links.resolved;
    this.#lost.add(page, links.unresolved);
    for (const warning of warnings) this.#warn(warning);
  }

  #warn(warning: string): void {
    if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push(warning);
    else this.#moreWarnings++;
  }

  /** Records stored documents. */
  add(documents: readonly ReadyDocument[]): void {
    this.documents += documents.length;
    for (const { attachments, planned } of documents) {
      this.#attachments += attachments.length;
      this.#relations += this.#relationsOf(planned.key);
    }
  }

  counts() {
    for (const line of this.#lost.lines()) this.#warn(line);
    const more = this.#moreWarnings === 0 ? [] : [`And ${this.#moreWarnings} more.`];
    return {
      documents: this.documents,
      attachments: this.#attachments,
      relations: this.#relations,
      links_resolved: this.#resolved,
      links_unresolved: this.#lost.count,
      warnings: [...this.#leftOut(), ...this.#warnings, ...more],
    };
  }

  #leftOut(): readonly string[] {
    const paths = [...this.#files];
    if (paths.length === 0) return [];
    const named = paths.slice(0, MAX_NAMES).map((path) => path.slice(0, 200));
    const rest = paths.length > MAX_NAMES ? ", …" : "";
    return [`Files that no page shows or links to are left out (${paths.length}): ${named.join(", ")}${rest}`];
  }
}
