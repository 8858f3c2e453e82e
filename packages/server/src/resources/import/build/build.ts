import { setImmediate as turn } from "node:timers/promises";
import { DocumentError } from "@svc/document/errors";
import type { JobControl } from "../../../jobs/job.ts";
import type { ImportPlan, PlannedDocument } from "../plan.ts";
import { ImportRefused } from "../refused.ts";
import type { Builder } from "./builder.ts";
import { type ReadDocument, type ReadingTools, type ReadyDocument, readDocument } from "./ready-document.ts";

const DOCUMENTS_PER_TRANSACTION = 25;
/** Files of one batch are stored before its transaction; a batch is closed early when it has many. */
const FILES_PER_TRANSACTION = 50;
/** The same with many blocks: more than 2,000 are left to the background, which reads and indexes them once more. */
const BLOCKS_PER_TRANSACTION = 1200;

export interface Built {
  readonly folders: number;
  readonly documents: number;
  readonly attachments: number;
  readonly relations: number;
  readonly concepts: number;
  /** Between the files of an archive of another program. */
  readonly links_resolved: number;
  readonly links_unresolved: number;
  /** What could not be carried over, in words. */
  readonly warnings: readonly string[];
}

/** Reads the documents of an archive one after the other, and hands them to the builder in batches. */
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
      tally.note(reading);
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

/** Says which of the archive's pages a document cannot be made of. */
const namedAfter = (key: PlannedDocument["key"]) => (error: unknown) => {
  throw error instanceof DocumentError
    ? new ImportRefused(error.code, `${key.slice(0, 200)}: ${error.message}`)
    : error;
};

/** Documents on their way into the store. Where another thread stores them, the next ones are read meanwhile. */
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

  /** Begins with the folders. */
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

  /** When nothing is being stored any more: why storing failed, if it did. */
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

  /** One after the other. Whoever waits for the next one, or for the end, hears of a failure. */
  async #run(store: () => Promise<void>): Promise<void> {
    await this.#storing;
    this.#storing = store();
    this.#storing.catch(() => undefined);
    // Nothing is read within a transaction of the same thread: it would only take longer.
    if (!this.#builder.isAside) await this.#storing;
  }

  async #store(documents: readonly ReadyDocument[]): Promise<void> {
    await this.#builder.build({ kind: "documents", documents });
    await this.#stored(documents);
  }
}

const MOST_WARNINGS = 200;
const MOST_NAMES = 20;

/** What is counted of all documents. */
class Tally {
  readonly #relationsOf: (key: PlannedDocument["key"]) => number;
  readonly #warnings: string[] = [];
  #moreWarnings = 0;
  #attachments = 0;
  #relations = 0;
  #links = { links_resolved: 0, links_unresolved: 0 };
  /** That no document has taken along so far. */
  readonly #files: Set<string>;
  documents = 0;

  constructor(relationsOf: (key: PlannedDocument["key"]) => number, files: readonly string[]) {
    this.#relationsOf = relationsOf;
    this.#files = new Set(files);
  }

  /** A document that was read. Of very many warnings the number is told. */
  note({ links, files, warnings }: ReadDocument): void {
    for (const path of files) this.#files.delete(path);
    this.#links.links_resolved += links.resolved;
    this.#links.links_unresolved += links.unresolved;
    for (const warning of warnings)
      if (this.#warnings.length < MOST_WARNINGS) this.#warnings.push(warning);
      else this.#moreWarnings++;
  }

  /** Documents that were stored. */
  add(documents: readonly ReadyDocument[]): void {
    this.documents += documents.length;
    for (const { attachments, planned } of documents) {
      this.#attachments += attachments.length;
      this.#relations += this.#relationsOf(planned.key);
    }
  }

  counts() {
    const more = this.#moreWarnings === 0 ? [] : [`And ${this.#moreWarnings} more.`];
    return {
      documents: this.documents,
      attachments: this.#attachments,
      relations: this.#relations,
      ...this.#links,
      warnings: [...this.#leftOut(), ...this.#warnings, ...more],
    };
  }

  #leftOut(): readonly string[] {
    const paths = [...this.#files];
    if (paths.length === 0) return [];
    const named = paths.slice(0, MOST_NAMES).map((path) => path.slice(0, 200));
    const rest = paths.length > MOST_NAMES ? ", …" : "";
    return [`Files that no page shows or links to are left out (${paths.length}): ${named.join(", ")}${rest}`];
  }
}
