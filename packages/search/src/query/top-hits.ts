/** The rank of a hit in `topk`: pinned first, then score, titles before bodies, then index order. */
export type TopKey = {
  readonly pinned: boolean;
  readonly score: number;
  readonly title: boolean;
  readonly number: number;
};

/** Negative if `a` comes first. */
export function compareKeys(a: TopKey, b: TopKey): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  if (a.score !== b.score) return b.score - a.score;
  if (a.title !== b.title) return a.title ? -1 : 1;
  return a.number - b.number;
}

/** Keeps the first `limit` of the offered hits: a heap with the last of them at the root. */
export class TopHits<T extends TopKey> {
  readonly #heap: T[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The minimum score of a hit that is not pinned. */
  get threshold(): number {
    const worst = this.#heap[0];
    if (this.#heap.length < this.#limit || !worst) return -Infinity;
    return worst.pinned ? Infinity : worst.score;
  }

  offer(hit: T): void {
    if (this.#heap.length < this.#limit) {
      this.#heap.push(hit);
      this.#siftUp(this.#heap.length - 1);
    } else if (this.#limit > 0 && compareKeys(hit, this.#heap[0]!) < 0) {
      this.#heap[0] = hit;
      this.#siftDown();
    }
  }

  sorted(): T[] {
    return this.#heap.toSorted(compareKeys);
  }

  #siftUp(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (compareKeys(this.#heap[at]!, this.#heap[parent]!) <= 0) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #siftDown(): void {
    for (let at = 0; ; ) {
      let last = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && compareKeys(this.#heap[child]!, this.#heap[last]!) > 0) last = child;
      }
      if (last === at) return;
      this.#swap(at, last);
      at = last;
    }
  }

  #swap(a: number, b: number): void {
    const kept = this.#heap[a]!;
    this.#heap[a] = this.#heap[b]!;
    this.#heap[b] = kept;
  }
}
