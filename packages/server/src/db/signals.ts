/** Receives a topic, or undefined if anything may have happened. */
export type Heard = (topic: string | undefined) => void;

/** Announces among the processes of one store that something was committed, but not what. */
export interface Signals {
  /**
   * Notifies the listeners of this process at once and those of other processes soon. A crash or a lost connection can
   * lose the announcement for the others, so listeners also check now and then.
   */
  announce(topic: string): void;
  /**
   * Returns a function that ends the subscription. With `isPrompt`, announcements of other processes arrive within a
   * few milliseconds.
   */
  listen(heard: Heard, options?: { readonly isPrompt?: boolean }): () => void;
  close(): Promise<void>;
}

/** For a store that is opened without signals. */
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

  notify(topic: string | undefined): void {
    for (const heard of this.#all) heard(topic);
  }
}
