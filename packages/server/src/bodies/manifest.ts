import { hash } from "node:crypto";
import type { Segment } from "./segment.ts";

export interface ManifestEntry {
  readonly hash: string;
  /** Top-level blocks in the segment. */
  readonly count: number;
}

/** Which segments make up a body, in order. */
export type Manifest = readonly ManifestEntry[];

export const writeManifest = (segments: Manifest): string =>
  segments.map(({ hash, count }) => `${hash}:${count}`).join(",");

export const readManifest = (text: string): Manifest =>
  text === ""
    ? []
    : text.split(",").map((entry) => {
        const colon = entry.indexOf(":");
        return { hash: entry.slice(0, colon), count: Number(entry.slice(colon + 1)) };
      });

/** The version of a body: equal for equal content, different for different content. */
export const versionOf = (segments: readonly Pick<Segment, "hash">[]): string =>
  `sha256:${hash("sha256", segments.map((segment) => segment.hash).join("\n"), "hex")}`;

/**
 * A manifest as what it has other than the manifest of the next revision: how many entries at the beginning and at the
 * end are the same, and the entries between. So a snapshot before a small edit takes little room in a body of any size.
 */
export function writeStep(manifest: Manifest, next: Manifest): string {
  const { start, tail } = sameEnds(manifest, next);
  return `${start} ${tail} ${writeManifest(manifest.slice(start, manifest.length - tail))}`;
}

/** How many entries at the beginning and at the end are the same. */
function sameEnds(a: Manifest, b: Manifest): { start: number; tail: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && isSame(a[start]!, b[start]!)) start++;
  let tail = 0;
  while (tail < most - start && isSame(a[a.length - 1 - tail]!, b[b.length - 1 - tail]!)) tail++;
  return { start, tail };
}

/** So few are looked for one by one. */
const FEW = 8;

/** The entries of one manifest that another does not have, each once. */
export function missingFrom<Entry extends ManifestEntry>(other: Manifest, manifest: readonly Entry[]): Entry[] {
  const { start, tail } = sameEnds(manifest, other);
  const middle = manifest.slice(start, manifest.length - tail);
  const hashes = middle.length > FEW ? new Set(other.map(({ hash }) => hash)) : undefined;
  const isThere = ({ hash }: Entry) => hashes?.has(hash) ?? other.some((entry) => entry.hash === hash);
  return uniqueEntries(middle).filter((entry) => !isThere(entry));
}

export const uniqueEntries = <Entry extends ManifestEntry>(entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.hash, entry])).values(),
];

/** The manifest that a step tells of, given that of the next revision. */
export function followStep(step: string, next: Manifest): Manifest {
  const [start = "0", tail = "0", between = ""] = step.split(" ");
  return [...next.slice(0, Number(start)), ...readManifest(between), ...next.slice(next.length - Number(tail))];
}

const isSame = (a: ManifestEntry, b: ManifestEntry): boolean => a.hash === b.hash;
