import { readBody } from "../../../bodies/body.ts";
import type { Tx } from "../../../db/database.ts";
import { mappedBlockId } from "../mapped-ids.ts";
import type { PlannedEvidence, PlannedGraph } from "../plan.ts";

interface Landed {
  readonly version: string;
  /** Of the blocks that evidence names, those that the body has. */
  readonly blocks: ReadonlySet<string>;
}

/** Where evidence stands: as it came into the new documents. */
export class LandedEvidence {
  readonly #seed: string;
  /** Document key → blocks that evidence names as being in it now, by their new ids. */
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

  /** Takes note of a document that has just been made. */
  async note(tx: Tx, documentKey: string, workspaceId: string, documentId: string): Promise<void> {
    const named = this.#named.get(documentKey);
    if (!named) return;
    const body = await readBody(tx, { workspaceId, documentId });
    const blocks = new Set([...named].filter((id) => body.positionOf(id) !== undefined));
    this.#landed.set(documentKey, { version: body.version, blocks });
  }

  /** The new document's version for evidence that was current; what was stale stays so by keeping the old one. */
  versionOf(evidence: PlannedEvidence): string {
    const landed = evidence.isCurrent ? this.#landed.get(evidence.documentKey) : undefined;
    const block = this.blockOf(evidence);
    return landed && (block === null || landed.blocks.has(block)) ? landed.version : evidence.sourceVersion;
  }
}
