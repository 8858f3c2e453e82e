import { setTimeout as sleep } from "node:timers/promises";
import { type Random, randomFrom } from "../corpus/text.ts";
import { Api } from "../harness/api.ts";
import { counting } from "../harness/compare.ts";
import { drive, type Requests } from "../harness/drive.ts";
import { type Running, SVC_SERVER, startServer } from "../harness/processes.ts";
import { processorTime } from "../harness/processor.ts";
import type { Curve } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { median, type Point } from "../harness/statistics.ts";
import { makeStore } from "../harness/store.ts";

/** A server on a store that is made to grow. */
export interface Site {
  readonly svc: Running;
  readonly api: Api;
  readonly random: Random;
  readonly base: number;
  close(): Promise<void>;
}

export async function makeSite(): Promise<Site> {
  const store = await makeStore("sqlite");
  const svc = await startServer(SVC_SERVER, store.settings);
  const api = new Api(svc.address, store.headers);
  const { id: base } = await api.data("POST", "/api/v1/knowledge-bases", { name: "Growing" });
  const close = async () => {
    await svc.stop();
    await store.remove();
  };
  return { svc, api, random: randomFrom(5), base, close };
}

/** Waits until the server has nothing more to do by itself (merges of the index), at most a minute. */
export async function untilIdle({ svc }: Pick<Site, "svc">): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const before = processorTime(svc.pid);
    await sleep(500);
    if (processorTime(svc.pid) - before < 15_000) return;
  }
}

/** The requests sent at each size. */
export interface Grown {
  readonly operation: string;
  /** The steepest slope that is right. */
  readonly bound?: number;
  readonly why: string;
  readonly unit?: string;
}

/** Sizes from `low` to `high`, two to each power of ten, as far as the scale goes. */
export function sizesOf(low: number, high: number, share: number): number[] {
  const steps = Math.round(Math.log10(high / low) * 2);
  const sizes = Array.from({ length: steps + 1 }, (_, i) => Math.round(low * 10 ** (i / 2)));
  return share < 0.01 ? [Math.max(5, low / 50), Math.max(10, low / 25)] : sizes.filter((size) => size <= high * share);
}

/** Gathers the points of several curves, and hands the curves to the run. */
export class Curves {
  readonly #points = new Map<string, Point[]>();
  readonly #grown: readonly Grown[];
  readonly #about: Pick<Curve, "part" | "over">;

  constructor(about: Pick<Curve, "part" | "over">, grown: readonly Grown[]) {
    this.#about = about;
    this.#grown = grown;
  }

  add(operation: string, x: number, y: number): void {
    const points = this.#points.get(operation) ?? [];
    this.#points.set(operation, points);
    points.push({ x, y });
  }

  finish(run: Run): void {
    for (const { operation, bound, why, unit = "µs CPU" } of this.#grown) {
      const points = this.#points.get(operation);
      if (!points) throw new Error(`${operation} was not measured.`);
      run.curve({ ...this.#about, operation, unit, points, why, ...(bound !== undefined && { bound }) });
    }
  }
}

interface Asked {
  readonly x: number;
  readonly requests: Requests;
}

/**
 * The server's processor time per request of one operation at several sizes, in turns: the median of the rounds. A first
 * round warms up and does not count.
 */
export async function costs(
  run: Run,
  { svc }: Pick<Site, "svc">,
  asked: readonly Asked[],
  count: number,
): Promise<Point[]> {
  const each = Math.max(4, Math.round(count * Math.max(run.scale.effort, 0.02)));
  const sides = asked.map(({ x, requests }) => {
    const seen: number[] = [];
    return { x, ...counting({ target: svc, requests }), seen };
  });
  for (let round = 0; round <= run.scale.rounds; round++)
    for (const side of sides) {
      const { cpu } = await drive(svc, side.requests, { connections: 4, count: each, ms: 3000 });
      if (round > 0) side.seen.push(cpu);
    }
  svc.clearLog();
  return sides.map(({ x, seen }) => ({ x, y: median(seen) }));
}
