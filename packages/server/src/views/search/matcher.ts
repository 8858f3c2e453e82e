import { advance, type PostingList } from "./posting-list.ts";

/** Steps through the blocks that all required lists have and no excluded one. */
export class Matcher {
  number = 0;
  code = 0;
  readonly at: Uint32Array;
  private readonly required: readonly PostingList[];
  private readonly excluded: readonly PostingList[];
  private readonly excludedAt: Uint32Array;
  /** Indexes of the required lists, shortest first. */
  private readonly order: readonly number[];
  private index = -1;

  constructor(required: readonly PostingList[], excluded: readonly PostingList[]) {
    this.required = required;
    this.excluded = excluded;
    this.at = new Uint32Array(required.length);
    this.excludedAt = new Uint32Array(excluded.length);
    this.order = [...required.keys()].sort((a, b) => required[a]!.size - required[b]!.size);
  }

  next(): boolean {
    const lead = this.order[0]!;
    const { numbers, codes, size } = this.required[lead]!;
    while (++this.index < size) {
      this.number = numbers[this.index]!;
      if (!this.isInAll() || this.isExcluded()) continue;
      this.at[lead] = this.index;
      this.code = codes[this.index]!;
      return true;
    }
    return false;
  }

  private isInAll(): boolean {
    for (let o = 1; o < this.order.length; o++) {
      const i = this.order[o]!;
      const { numbers, size } = this.required[i]!;
      const at = advance(numbers, size, this.at[i]!, this.number);
      this.at[i] = at;
      if (at >= size || numbers[at] !== this.number) return false;
    }
    return true;
  }

  private isExcluded(): boolean {
    for (let i = 0; i < this.excluded.length; i++) {
      const { numbers, size } = this.excluded[i]!;
      const at = advance(numbers, size, this.excludedAt[i]!, this.number);
      this.excludedAt[i] = at;
      if (at < size && numbers[at] === this.number) return true;
    }
    return false;
  }
}
