import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly version: string;
}

const folder = new URL("../static/", import.meta.url);

function readAsset(name: string): [string, Asset] {
  const bytes = readFileSync(new URL(name, folder));
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  return [name, { type: TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream", bytes, version }];
}

/** The static files, by name: few and small, kept in memory. */
export const assets: ReadonlyMap<string, Asset> = new Map(readdirSync(folder).map(readAsset));

/** Its address, which changes with its content, so that it may be kept for ever. */
export const assetUrl = (name: string): string => `/assets/${assets.get(name)?.version}/${name}`;
