import { readBody } from "../../../../bodies/load-body.ts";
import type { Tx } from "../../../../db/database.ts";
import { mappedBlockId } from "../mapped-ids.ts";
import type { PlannedEvidence, PlannedGraph } from "../plan.ts";

interface Landed {
  readonly version: string;
  /** The blocks that evidence names and that exist in the body. */
  readonly blocks: ReadonlySet<string>;
}

/** Resolves evidence to the newly created documents and blocks. */
export class LandedEvidence {
  readonly #seed: string;
  /** Document key → new ids of the blocks that current evidence names. */
  readonly #named = new Map<string, Set<string>>();
  readonly #landed = new Map<string, Landed>();

  constructor(seed: string, { relations, concepts }: PlannedGraph) {
    this.#seed = seed;
    for (const some of relations.values()) for (const { source } of some) this.#name(source);
    for (const { sources } of concepts) sources.forEach(this.#name);
  }

  #name = (evidence: PlannedEvidence): void => {
    if (!evidence.isCurrent) return;
    const blocks = this.#named.get(evidence.documentKey) ?? new Set();
    this.#named.set(evidence.documentKey, blocks);
    const block = this.blockOf(evidence);
    if (block !== null) blocks.add(block);
  };

  blockOf({ documentKey, blockId }: PlannedEvidence): string | null {
    return blockId === null ? null : mappedBlockId(this.#seed, documentKey, blockId);
  }

  /** Records a document that was just created. */
  async note(tx: Tx, documentKey: string, workspaceId: string, documentId: string): Promise<void> {
    const named = this.#named.get(documentKey);
    if (!named) return;
    const body = await readBody(tx, { workspaceId, documentId });
    const blocks = new Set([...named].filter((id) => body.positionOf(id) !== undefined));
    this.#landed.set(documentKey, { version: body.version, blocks });
  }

  /**
   * Returns the new document's version for current evidence; stale evidence keeps its old version and so stays stale.
   */
  versionOf(evidence: PlannedEvidence): string {
    const landed = evidence.isCurrent ? this.#landed.get(evidence.documentKey) : undefined;
    const block = this.blockOf(evidence);
    return landed && (block === null || landed.blocks.has(block)) ? landed.version : evidence.sourceVersion;
  }
}
