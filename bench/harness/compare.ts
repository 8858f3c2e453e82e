import { drive, type Requests, type Sample, type Target } from "./drive.ts";
import { median, percentile } from "./statistics.ts";

export interface Side {
  readonly target: Target;
  readonly requests: Requests;
  /** It gets that many times as many connections: as many for each of its processes. */
  readonly processes?: number;
}

export interface Effort {
  readonly rounds: number;
  /** Length of one measurement. */
  readonly ms: number;
  /** Requests before the first measurement, so that compiled code and filled memories are measured. */
  readonly warmUp: number;
  /** The warm-up ends after this time even if it is not complete. */
  readonly warmUpMs: number;
}

/** One side at one number of connections, over all rounds. */
export interface Series {
  /** Median of requests per second, and the slowest and fastest round. */
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  /** Median of the server's microseconds of processor per request. */
  readonly cpu: number;
  /** Median share of one core that the sender took. */
  readonly sender: number;
  /** Milliseconds that 99 of 100 requests of all rounds took at most. */
  readonly p99: number;
}

export interface Comparison {
  readonly connections: number;
  readonly limit: Series;
  readonly ours: Series;
}

/** Warms both sides up, then measures them in turns at each number of connections. */
export async function compare(
  limit: Side,
  ours: Side,
  connections: readonly number[],
  effort: Effort,
): Promise<Comparison[]> {
  const sides = [counting(limit), counting(ours)] as const;
  for (const side of sides)
    await drive(side.target, side.requests, { connections: 16, count: effort.warmUp, ms: effort.warmUpMs });
  const results: Comparison[] = [];
  for (const count of connections) {
    const samples: [Sample[], Sample[]] = [[], []];
    for (let round = 0; round < effort.rounds; round++)
      for (const which of round % 2 ? ([1, 0] as const) : ([0, 1] as const)) {
        const { target, requests, processes = 1 } = sides[which];
        samples[which].push(await drive(target, requests, { connections: count * processes, ms: effort.ms }));
      }
    results.push({ connections: count, limit: seriesOf(samples[0]), ours: seriesOf(samples[1]) });
  }
  return results;
}

/** The same side, whose requests go on where the last measurement ended: no write is sent twice. */
export function counting(side: Side): Side {
  let index = 0;
  return { ...side, requests: () => side.requests(index++) };
}

function seriesOf(samples: readonly Sample[]): Series {
  const rates = samples.map((sample) => sample.rate);
  return {
    rate: median(rates),
    low: Math.min(...rates),
    high: Math.max(...rates),
    cpu: median(samples.map((sample) => sample.cpu)),
    sender: median(samples.map((sample) => sample.sender)),
    p99: percentile(
      samples.flatMap((sample) => sample.waits),
      0.99,
    ),
  };
}
