import { type AppliedBatch, applyBatch, type BatchOperation, parseOperations } from "@svc/document/blocks/batch";
import { isRecord } from "@svc/document/guards";
import { keepAllStored } from "@svc/document/schema/keep-stored";
import type { Node } from "@svc/document/types";
import type { Config } from "../../config.ts";
import { ApiError } from "../../errors.ts";
import { newBlockId } from "../../ids.ts";
import { isTooSlow, runAside } from "../../threads/pool.ts";
import type { StoredBody } from "../body.ts";
import { joinJson } from "../joined-json.ts";
import { markdownOf } from "../parsing/block-markdown.ts";
import { LONG_CHARS } from "../parsing/parse-in-worker.ts";
import { errorOf } from "../parsing/refusal.ts";
import { MAX_LENGTH } from "../segment.ts";
import type { AppliedAside, applyOperations } from "./operations-worker.ts";

type OperationTasks = { readonly applyOperations: typeof applyOperations };

const WORKER = new URL("./operations-worker.ts", import.meta.url);
const DEADLINE_MS = 30_000;
/** Searching a character of a page costs this fraction of reading it. */
const SEARCH_COST = 1 / 20;

/** The operations of one request. Those that take long to apply are applied in a thread of the pool. */
export class BodyOperations {
  readonly #sent: readonly unknown[];
  readonly #parsed: readonly BatchOperation[];
  readonly #maxCharacters: number;
  /** By the version of the body that they are applied to. */
  readonly #aside = new Map<string, Promise<AppliedAside>>();

  /** Throws if the form of an operation is wrong. */
  constructor(sent: readonly unknown[], { maxDocumentCharacters }: Pick<Config, "maxDocumentCharacters">) {
    this.#sent = sent;
    this.#parsed = parseOperations(sent);
    this.#maxCharacters = maxDocumentCharacters;
  }

  /** Applies long texts before the transaction begins, so that it holds up no writers. `apply` reports any failure. */
  async applyAhead(load: () => Promise<StoredBody>): Promise<void> {
    if (this.#sent.reduce<number>((sum, operation) => sum + lengthOf(operation), 0) <= LONG_CHARS) return;
    try {
      await this.#applyAside(await load());
    } catch {
      // The transaction meets the same failure, in the order in which failures are reported.
    }
  }

  async apply(to: StoredBody): Promise<AppliedBatch> {
    if (!this.#isLongFor(to)) return this.#applyHere(to);
    const { start, tail, between, results, positions } = await this.#applyAside(to);
    const { blocks } = to;
    const changed: readonly Node[] = JSON.parse(between);
    const after = [...blocks.slice(0, start), ...changed, ...blocks.slice(blocks.length - tail)];
    return { body: { type: "doc", content: keepAllStored(after, blocks) }, results, positions };
  }

  #applyHere({ body, documentType }: StoredBody): AppliedBatch {
    const options = { maxCharacters: this.#maxCharacters, documentType, writeMarkdown: markdownOf };
    return applyBatch(body, this.#parsed, newBlockId, options);
  }

  #applyAside(to: StoredBody): Promise<AppliedAside> {
    const known = this.#aside.get(to.version);
    if (known) return known;
    const begun = this.#runAside(to);
    this.#aside.set(to.version, begun);
    return begun;
  }

  async #runAside({ segments, documentType }: StoredBody): Promise<AppliedAside> {
    const body = joinJson(segments.map(({ json }) => json));
    const task = { operations: this.#sent, body, documentType, maxCharacters: this.#maxCharacters };
    const reply = await runAside<OperationTasks, "applyOperations">(WORKER, "applyOperations", task, DEADLINE_MS).catch(
      (error: unknown) => {
        throw isTooSlow(error) ? tooSlow() : error;
      },
    );
    if ("code" in reply) throw errorOf(reply);
    return reply;
  }

  /** Whether applying them costs as much as reading a long text. */
  #isLongFor(body: StoredBody): boolean {
    let cost = 0;
    for (const operation of this.#sent) {
      cost += lengthOf(operation) + readOf(operation, body);
      if (cost > LONG_CHARS) return true;
    }
    return false;
  }
}

/** The characters of Markdown that an operation brings. */
const lengthOf = (operation: unknown): number =>
  isRecord(operation) ? sizeOf(operation.markdown) + (isEdit(operation) ? sizeOf(operation.old, operation.new) : 0) : 0;

const isEdit = ({ op }: Record<string, unknown>): boolean => op === "edit_markdown";

const sizeOf = (...texts: readonly unknown[]): number =>
  texts.reduce<number>((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0);

/** The characters of the page that are read again, as far as they can be known before: the block it touches, or all. */
function readOf(operation: unknown, body: StoredBody): number {
  if (!isRecord(operation)) return 0;
  if (!isEdit(operation)) return operation.op === "append_markdown" ? largestBlock(body) : 0;
  return operation.occurrence === "all" ? body.byteSize : body.byteSize * SEARCH_COST + largestBlock(body);
}

/** Blocks longer than a segment have one of their own. */
function largestBlock({ segments }: StoredBody): number {
  const largest = segments.reduce((max, { json }) => Math.max(max, json.length), 0);
  return largest > MAX_LENGTH ? largest : 0;
}

const tooSlow = (): ApiError =>
  new ApiError(
    "document_too_large",
    { hint: "Send the operations in several batches, or the whole text with PUT." },
    {},
    "Applying these operations takes too long.",
  );
