import { defined } from "@svc/document/defined";
/**
 * Whether what clients saw can be explained by one sequential order: Wing and Gong's search with Lowe's memory of
 * where it has been. An operation without an answer may take effect at any time after it was sent, or never.
 */
export interface Interval {
  readonly invoked: number;
  /** Undefined when no answer came. */
  readonly completed: number | undefined;
}

export interface Model<State, Operation extends Interval> {
  readonly initial: State;
  /** Equal for equal states. */
  keyOf(state: State): string;
  /** The state after the operation, or undefined when its answer cannot have been given in this state. */
  step(state: State, operation: Operation): State | undefined;
}

type Verdict<State, Operation> =
  | { readonly explained: true; readonly order: readonly Operation[] }
  | {
      readonly explained: false;
      /** The furthest the search came: what had happened, the state then, and what could not follow. */
      readonly order: readonly Operation[];
      readonly state: State;
      readonly stuck: readonly Operation[];
    };

const MAX_PLACES = 2_000_000;

interface Place<State> {
  readonly state: State;
  /** Candidates for the next operation, and how many have been tried. */
  readonly next: readonly number[];
  tried: number;
  /** The operation that led here. */
  readonly taken: number;
}

export function findOrder<State, Operation extends Interval>(
  history: readonly Operation[],
  model: Model<State, Operation>,
): Verdict<State, Operation> {
  const operations = [...history].sort((a, b) => a.invoked - b.invoked);
  const search = new Search(operations, model);
  return search.run();
}

class Search<State, Operation extends Interval> {
  readonly #operations: readonly Operation[];
  readonly #model: Model<State, Operation>;
  readonly #taken: boolean[];
  readonly #been = new Set<string>();
  #left: number;
  #bits = 0n;

  constructor(operations: readonly Operation[], model: Model<State, Operation>) {
    this.#operations = operations;
    this.#model = model;
    this.#taken = operations.map(() => false);
    this.#left = operations.filter(({ completed }) => completed !== undefined).length;
  }

  run(): Verdict<State, Operation> {
    const path: Place<State>[] = [this.#placeAt(this.#model.initial, -1)];
    let furthest: { order: Operation[]; state: State; stuck: Operation[] } = {
      order: [],
      state: this.#model.initial,
      stuck: [],
    };
    let best = -1;
    for (;;) {
      const here = defined(path.at(-1));
      if (this.#left === 0) return { explained: true, order: this.#orderOf(path) };
      if (path.length > best) {
        best = path.length;
        const stuck = here.next.map((index) => defined(this.#operations[index]));
        furthest = { order: this.#orderOf(path), state: here.state, stuck };
      }
      const index = here.next[here.tried++];
      if (index === undefined) {
        path.pop();
        if (path.length === 0) return { explained: false, ...furthest };
        this.#put(here.taken, false);
        continue;
      }
      const state = this.#model.step(here.state, defined(this.#operations[index]));
      if (state === undefined) continue;
      this.#put(index, true);
      if (this.#isNew(state)) path.push(this.#placeAt(state, index));
      else this.#put(index, false);
    }
  }

  #orderOf(path: readonly Place<State>[]): Operation[] {
    return path.slice(1).map(({ taken }) => defined(this.#operations[taken]));
  }

  #put(index: number, taken: boolean): void {
    this.#taken[index] = taken;
    this.#bits ^= 1n << BigInt(index);
    if (defined(this.#operations[index]).completed !== undefined) this.#left += taken ? -1 : 1;
  }

  #isNew(state: State): boolean {
    const key = `${this.#bits.toString(36)} ${this.#model.keyOf(state)}`;
    if (this.#been.has(key)) return false;
    if (this.#been.size >= MAX_PLACES) throw new Error(`The search is too large after ${MAX_PLACES} places.`);
    this.#been.add(key);
    return true;
  }

  /**
   * Next may come whatever was sent before the first of the open answers arrived. An operation that changes nothing and
   * fits here may as well come here, so nothing else is tried.
   */
  #placeAt(state: State, taken: number): Place<State> {
    let first = Number.POSITIVE_INFINITY;
    const open: number[] = [];
    for (let index = 0; index < this.#operations.length; index++) {
      const { invoked, completed } = defined(this.#operations[index]);
      if (invoked > first) break;
      if (this.#taken[index]) continue;
      open.push(index);
      first = Math.min(first, completed ?? first);
    }
    const next = open
      .filter((index) => defined(this.#operations[index]).invoked <= first)
      .sort((a, b) => endOf(defined(this.#operations[a])) - endOf(defined(this.#operations[b])));
    const free = next.find((index) => this.#changesNothing(state, index));
    return { state, next: free === undefined ? next : [free], tried: 0, taken };
  }

  #changesNothing(state: State, index: number): boolean {
    const operation = defined(this.#operations[index]);
    return operation.completed !== undefined && this.#model.step(state, operation) === state;
  }
}

const endOf = ({ completed }: Interval): number => completed ?? Number.POSITIVE_INFINITY;
