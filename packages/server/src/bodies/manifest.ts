import { hash } from "node:crypto";
import type { Segment } from "./segment.ts";

/** Which segments make up a body, in order. */
export type Manifest = readonly { readonly hash: string; readonly count: number }[];

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
