/** Runs in threads of the pool. */
import { type BlockComparison, compareBlocks } from "@svc/document/compare";
import type { Body, Node } from "@svc/document/types";
import { type Change, changesBetween } from "./changes-between.ts";

/** Two bodies as JSON; without `old`, everything is new. */
export interface SentBodies {
  readonly old: string | undefined;
  readonly current: string;
}

const blocksOf = (json: string | undefined): readonly Node[] =>
  json === undefined ? [] : (JSON.parse(json) as Body).content;

export const compareSent = ({ old, current }: SentBodies): BlockComparison[] =>
  compareBlocks(blocksOf(old), blocksOf(current));

export const changesOfSent = ({ old, current, isWhole }: SentBodies & { isWhole: boolean }): Change[] =>
  changesBetween(blocksOf(old), blocksOf(current), isWhole);
