import type { Registry } from "prom-client";

/** The identity of a process that serves together with others on one port. */
export interface Worker {
  /** Its number, from 1. */
  readonly number: number;
  /** Takes a function that returns this process's own metrics, and returns one that fetches the text of those of all. */
  shareMetrics(own: () => Registry): () => Promise<string>;
}
