import { hash } from "node:crypto";
import { defined } from "@svc/document/defined";
import type { BodyRow } from "../db/schema/tables/bodies.ts";
import type { Segment } from "./segment.ts";

export interface ManifestEntry {
  readonly hash: string;
  /** The number of top-level blocks in the segment. */
  readonly count: number;
}

/** The segments of a body, in order. */
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

/** The manifest that a body's row describes. */
export const manifestOf = ({ manifest, steps }: Pick<BodyRow, "manifest" | "steps">): Manifest =>
  steps
    .split(";")
    .slice(0, -1)
    .reduce((before, step) => followStep(step, before), readManifest(manifest));

/** The version of a body: equal for equal content, different for different content. */
export const versionOf = (segments: readonly Pick<Segment, "hash">[]): string =>
  `sha256:${hash("sha256", segments.map((segment) => segment.hash).join("\n"), "hex")}`;

/**
 * The difference between two manifests: how many entries they share at the beginning and at the end, and the entries of
 * each in between.
 */
export interface Difference<Entry extends ManifestEntry = ManifestEntry> {
  readonly start: number;
  readonly tail: number;
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
}

export function compare<Entry extends ManifestEntry>(
  before: readonly Entry[],
  after: readonly Entry[],
): Difference<Entry> {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isSame(defined(before[start]), defined(after[start]))) start++;
  let tail = 0;
  while (
    tail < most - start &&
    isSame(defined(before[before.length - 1 - tail]), defined(after[after.length - 1 - tail]))
  )
    tail++;
  return {
    start,
    tail,
    before: before.slice(start, before.length - tail),
    after: after.slice(start, after.length - tail),
  };
}

/**
 * Writes a manifest as its difference from another one: how many entries it shares at the beginning and at the end, and
 * the entries in between. So a small edit needs little space in a body of any size.
 */
export const writeStep = ({ start, tail }: Pick<Difference, "start" | "tail">, between: Manifest): string =>
  `${start} ${tail} ${writeManifest(between)}`;

/** Applies a step to the manifest that it was compared with. */
export function followStep(step: string, from: Manifest): Manifest {
  const [start = "0", tail = "0", between = ""] = step.split(" ");
  return [...from.slice(0, Number(start)), ...readManifest(between), ...from.slice(from.length - Number(tail))];
}

/** Up to this many are searched for one by one. */
const MAX_LINEAR_SEARCH = 8;

/** The entries that a manifest does not have, each once. */
export function missingFrom<Entry extends ManifestEntry>(manifest: Manifest, entries: readonly Entry[]): Entry[] {
  const hashes = entries.length > MAX_LINEAR_SEARCH ? new Set(manifest.map(({ hash }) => hash)) : undefined;
  const isThere = ({ hash }: Entry) => hashes?.has(hash) ?? manifest.some((entry) => entry.hash === hash);
  return uniqueEntries(entries).filter((entry) => !isThere(entry));
}

export const uniqueEntries = <Entry extends ManifestEntry>(entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.hash, entry])).values(),
];

const isSame = (a: ManifestEntry, b: ManifestEntry): boolean => a.hash === b.hash;
