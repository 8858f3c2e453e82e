import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { Store, TaskName } from "./tasks.ts";

export const cost = (text: string): number => encode(text).length;

/** Counts calls, and tokens of what an agent says and hears. */
export class Count {
  calls = 0;
  tokens = 0;

  add(said: string, heard: string): string {
    this.calls++;
    this.tokens += cost(said) + cost(heard);
    return heard;
  }
}

/** How a competent agent does each task, with one kind of tools; it gives back all that it heard. */
type Scripts = Readonly<Partial<Record<TaskName, () => Promise<string>>>>;

export interface Way {
  readonly name: string;
  readonly store: Store;
  /** Reset before each task. */
  readonly count: Count;
  readonly scripts: Scripts;
  /** Tokens of its tools' definitions, for all and for those that only read. */
  readonly definitions?: string;
  readonly close: () => Promise<void>;
}
