import { sameJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { formOf } from "./element.ts";
import { keysOf } from "./patch.ts";
import { diffSteps } from "./text-diff.ts";

/** A state of a top-level block, and whether the change that replaced it was typed in an editor. */
export interface EarlierBlock {
  readonly block: Node;
  readonly isTyped: boolean;
}

/** The characters of a block that were typed since the first of its given states. */
export class TypedWords {
  readonly #states: readonly EarlierBlock[];
  readonly #block: Node;

  constructor(states: readonly EarlierBlock[], block: Node) {
    this.#states = states;
    this.#block = block;
  }

  /** Whether lines of other blocks, by id, still contain them, ignoring white space. */
  areIn(lines: ReadonlyMap<string, Node>): boolean {
    let areThere = true;
    eachLeaf(this.#block, (leaf) => {
      areThere &&= this.#isKept(leaf, lines);
    });
    return areThere;
  }

  #isKept(leaf: Node, lines: ReadonlyMap<string, Node>): boolean {
    const now = lines.get(idOf(leaf));
    if (now && sameJson(now, leaf)) return true;
    const keys = keysOf(leaf);
    const typed = this.#typedIn(idOf(leaf));
    if (!typed.some((isTyped, at) => isTyped && isWord(defined(keys[at])))) return true;
    if (!now) return [...lines.values()].some((line) => keysOf(line).join("").includes(keys.join("").trim()));
    let at = 0;
    for (const { kind, count } of diffSteps(keys, keysOf(now))) {
      if (kind === "insert") continue;
      const isGone = (i: number) => typed[i] === true && isWord(defined(keys[i]));
      if (kind === "delete" && Array.from({ length: count }, (_, i) => at + i).some(isGone)) return false;
      at += count;
    }
    return true;
  }

  /**
   * The state that a line's new form was probably made from: the one with few added characters and few removed typed
   * ones. Among programs the last writer wins, so only states that typing replaced count, and the current one.
   */
  closestTo(line: Node): Node | undefined {
    const wanted = keysOf(line);
    let best: { readonly node: Node; readonly distance: number } | undefined;
    let wasTyped = true;
    for (const { node, keys, typed, isBase } of this.#statesOf(idOf(line))) {
      // A program that replaced every typed word had seen them all: the line starts over.
      if (!wasTyped && !keys.some((key, at) => typed[at] && LETTER.test(key))) best = undefined;
      wasTyped = isBase;
      if (!node || !isBase || formOf(node) !== "text") continue;
      let [at, distance] = [0, 0];
      for (const { kind, count } of diffSteps(keys, wanted)) {
        if (kind === "insert") distance += count;
        else at += count;
        if (kind === "delete") distance += typed.slice(at - count, at).filter(Boolean).length;
      }
      if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { node, distance };
    }
    return best?.node;
  }

  #typedIn = (id: string): readonly boolean[] => this.#statesOf(id).at(-1)?.typed ?? [];

  /** A line in each state, the current one last. */
  #statesOf(id: string): LineState[] {
    const lines: LineState[] = [];
    let wasTyped: boolean | undefined;
    for (const { block, isTyped } of [...this.#states, { block: this.#block, isTyped: true }]) {
      const node = nodeWith(block, id);
      const keys = node ? keysOf(node) : [];
      const typed = wasTyped === undefined ? keys.map(() => false) : follow(defined(lines.at(-1)), keys, wasTyped);
      lines.push({ node, keys, typed, isBase: isTyped });
      wasTyped = isTyped;
    }
    return lines;
  }
}

interface LineState {
  readonly node: Node | undefined;
  readonly keys: readonly string[];
  /** By character: whether it was typed. */
  readonly typed: readonly boolean[];
  readonly isBase: boolean;
}

/** Which characters of a line's next state were typed. */
function follow({ keys, typed }: LineState, next: readonly string[], isTyped: boolean): boolean[] {
  let at = 0;
  return diffSteps(keys, next).flatMap(({ kind, count }) => {
    if (kind === "insert") return Array.from({ length: count }, () => isTyped);
    at += count;
    return kind === "keep" ? typed.slice(at - count, at) : [];
  });
}

const LETTER = /[\p{L}\p{N}]/u;

const isWord = (key: string): boolean => key.trim() !== "";

/** The node with an id: a block itself, or one in it. */
export function nodeWith(node: Node, id: string): Node | undefined {
  if (idOf(node) === id) return node;
  if (formOf(node) !== "blocks") return undefined;
  for (const child of node.content ?? []) {
    const found = nodeWith(child, id);
    if (found) return found;
  }
  return undefined;
}

/** Visits a block without child blocks, or every such block nested in it. */
export function eachLeaf(node: Node, visit: (leaf: Node) => void): void {
  if (formOf(node) !== "blocks") visit(node);
  else for (const child of node.content ?? []) eachLeaf(child, visit);
}
