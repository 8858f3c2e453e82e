import { defined } from "@svc/document/defined";
/** One answer to one sending of a request with an idempotency key. */
export interface KeyedAnswer {
  readonly key: string;
  readonly status: number;
  readonly body: string;
  readonly replayed: boolean;
}

/** Finds errors in the answers: all answers to one key are equal, and at most one is the first. */
export function keyProblems(answers: readonly KeyedAnswer[]): string[] {
  const firsts = new Map<string, KeyedAnswer>();
  const problems: string[] = [];
  const fresh = new Set<string>();
  for (const answer of answers) {
    const first = firsts.get(answer.key) ?? answer;
    firsts.set(answer.key, first);
    if (first.status !== answer.status || first.body !== answer.body)
      problems.push(`${answer.key} was answered ${first.status} ${first.body} and ${answer.status} ${answer.body}`);
    if (!answer.replayed && fresh.has(answer.key)) problems.push(`${answer.key} was carried out twice`);
    if (!answer.replayed) fresh.add(answer.key);
  }
  return problems;
}

/** A write with the version that it was told, or undefined when it was told nothing. */
interface Effect {
  readonly invoked: number;
  readonly completed: number | undefined;
  readonly version: string | undefined;
}

/**
 * Finds errors in the order of the event log: each acknowledged write is there once,
 * other entries match writes without an answer, and no write precedes one that had ended before it began.
 */
export function eventProblems(effects: readonly Effect[], events: readonly string[]): string[] {
  const problems: string[] = [];
  const positions = new Map<string, number[]>();
  for (const [index, version] of events.entries()) positions.set(version, [...(positions.get(version) ?? []), index]);
  const acknowledged = effects.filter(({ version }) => version !== undefined);
  for (const { version } of acknowledged) {
    const times = positions.get(defined(version))?.length ?? 0;
    if (times !== 1) problems.push(`${version} was acknowledged and has ${times} events`);
  }
  const others = events.length - acknowledged.length;
  const open = effects.length - acknowledged.length;
  if (others > open) problems.push(`${others} events beside the acknowledged writes, ${open} writes without an answer`);
  const placeOf = ({ version }: Effect) => positions.get(defined(version))?.[0] ?? Number.NaN;
  for (const earlier of acknowledged)
    for (const later of acknowledged)
      if (defined(earlier.completed) < later.invoked && placeOf(earlier) > placeOf(later))
        problems.push(`the event of ${later.version} stands before that of ${earlier.version}, which was over before`);
  return problems;
}
