/** Runs in threads of the pool. */
import { type AppliedBatch, applyBatch, parseOperations } from "@svc/document/blocks/batch";
import { commonEnds } from "@svc/document/diff";
import type { DocumentType } from "@svc/document/schema/validate";
import type { Node } from "@svc/document/types";
import { newBlockId } from "../../ids.ts";
import { markdownOf } from "../parsing/block-markdown.ts";
import { type Refusal, refusalOf } from "../parsing/refusal.ts";

interface OperationsTask {
  readonly operations: readonly unknown[];
  /** The body as JSON, which is cheaper to transfer than the nodes. */
  readonly body: string;
  readonly documentType: DocumentType;
  readonly maxCharacters: number;
}

/** The result of operations: the number of unchanged blocks at each end of the body, and the blocks between as JSON. */
export interface AppliedAside extends Pick<AppliedBatch, "results" | "positions"> {
  readonly start: number;
  readonly tail: number;
  readonly between: string;
}

export function applyOperations({ operations, body: json, ...rules }: OperationsTask): AppliedAside | Refusal {
  const before: { readonly type: "doc"; readonly content: readonly Node[] } = JSON.parse(json);
  try {
    const options = { ...rules, writeMarkdown: markdownOf };
    const { body, results, positions } = applyBatch(before, parseOperations(operations), newBlockId, options);
    const { start, tail } = commonEnds(before.content, body.content);
    const between = JSON.stringify(body.content.slice(start, body.content.length - tail));
    return { start, tail, between, results, positions };
  } catch (error) {
    return refusalOf(error);
  }
}
