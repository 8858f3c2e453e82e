import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly version: string;
}

const folder = new URL("../../static/", import.meta.url);

function readAsset(name: string): [string, Asset] {
  const bytes = readFileSync(new URL(name, folder));
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  return [name, { type: TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream", bytes, version }];
}

/** Scripts that build.ts bundled; none on a tree that was never built. */
const islands = new URL("islands/", folder);
const islandNames = existsSync(islands) ? readdirSync(islands).filter((name) => name.endsWith(".js")) : [];
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []));

/** The static files, by name: few, kept in memory. An island is called `islands/<name>.js`. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  [...names, ...islandNames.map((name) => `islands/${name}`)].map(readAsset),
);

/** Its address, which changes with its content, so that it may be kept for ever. */
export const assetUrl = (name: string): string => `/assets/${assets.get(name)?.version}/${name}`;

/**
 * The script that restores the open tree before the first paint. It stands in the page itself: a request for it would
 * hold back the text.
 */
export const KEPT_TREE = String(assets.get("kept-tree.js")?.bytes ?? "");
