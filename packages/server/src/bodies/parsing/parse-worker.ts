/** Reads one body after another for the main thread. Trees are sent as JSON text, which is cheaper than cloning them. */
import type { NewBody } from "../new-body.ts";
import { makeBody } from "./make-body.ts";
import { type ParseRules, parseBlocks, type SentContent } from "./parse-blocks.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

interface MakeTask extends ParseRules {
  readonly content: SentContent;
}

export interface ParseTask extends MakeTask {
  /** JSON of the blocks that anchors refer to. */
  readonly previous: string;
}

/** Starts the thread. */
export const start = (): void => undefined;

export function parse({ content, previous, ...rules }: ParseTask): { readonly json: string } | Refused {
  try {
    return { json: JSON.stringify(parseBlocks(content, JSON.parse(previous), rules)) };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

/** Makes a whole body of new blocks. */
export function make({ content, ...rules }: MakeTask): { readonly body: NewBody } | Refused {
  try {
    return { body: makeBody(content, rules) };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

interface Refused {
  readonly refusal: Refusal;
}
