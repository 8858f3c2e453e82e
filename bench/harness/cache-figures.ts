import { Api } from "./api.ts";
import type { Target } from "./drive.ts";

/** How often a cache had what was asked of it, since the server's start. */
interface LookUps {
  readonly cache: string;
  readonly hits: number;
  readonly misses: number;
}

/** From the server's own figures; none where it has no such cache. */
export async function lookUps({ address }: Target, cache: string): Promise<LookUps | undefined> {
  const text = await new Api(address).text("GET", "/metrics");
  const figure = (name: string) =>
    new RegExp(`^svc_cache_${name}_total\\{[^}]*cache="${cache}"\\} (\\d+)`, "m").exec(text)?.[1];
  const [hits, misses] = [figure("hits"), figure("misses")];
  return hits === undefined || misses === undefined ? undefined : { cache, hits: Number(hits), misses: Number(misses) };
}

/** Hits as a share of all look-ups between two moments. */
export function shareOf(before: LookUps, after: LookUps | undefined): { share: number; cache: string } | undefined {
  if (!after) return undefined;
  const hits = after.hits - before.hits;
  const all = hits + after.misses - before.misses;
  return all > 0 ? { share: hits / all, cache: before.cache } : undefined;
}
