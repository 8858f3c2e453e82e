/** A topic, or undefined when anything may have happened. */
export type Heard = (topic: string | undefined) => void;

/** News among the processes on one store: that something was committed, never what. */
export interface Signals {
  /**
   * Tells the listeners of this process at once and those of other processes soon. A process that dies in between, or
   * a lost connection, loses the news for the others, so a listener also looks for itself now and then.
   */
  announce(topic: string): void;
  /** Returns what ends the listening. Whoever is `isPrompt` waits for news of other processes a few milliseconds at most. */
  listen(heard: Heard, options?: { readonly isPrompt?: boolean }): () => void;
  close(): Promise<void>;
}

/** For a store that is opened without any. */
export const NO_SIGNALS: Pick<Signals, "announce"> = { announce: () => undefined };

/** The listeners of one process. */
export class Listeners {
  readonly #all = new Set<Heard>();

  get size(): number {
    return this.#all.size;
  }

  add(heard: Heard): void {
    this.#all.add(heard);
  }

  delete(heard: Heard): void {
    this.#all.delete(heard);
  }

  tell(topic: string | undefined): void {
    for (const heard of this.#all) heard(topic);
  }
}
