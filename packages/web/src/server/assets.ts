import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly version: string;
}

const folder = new URL("../../static/", import.meta.url);

function readAsset(name: string): [string, Asset] {
  const file = readFileSync(new URL(name, folder));
  const bytes = name.endsWith(".css") ? withFontAddresses(file) : file;
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  return [name, { type: TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream", bytes, version }];
}

/** Scripts and fonts that build.ts made; none on a tree that was never built. */
const islands = new URL("islands/", folder);
const islandNames = existsSync(islands) ? readdirSync(islands).filter((name) => /\.(?:js|woff2)$/.test(name)) : [];
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []));

/** A stylesheet with the versioned addresses of its fonts, relative to its own address. */
function withFontAddresses(file: Buffer): Buffer {
  const text = file.toString().replace(/url\("(islands\/[\w.-]+)"\)/g, (_, name: string) => {
    const known = existsSync(new URL(name, folder)) ? readAsset(name)[1].version : "0";
    return `url("../${known}/${name}")`;
  });
  return Buffer.from(text);
}

/** The static files, by name: few, kept in memory. An island is called `islands/<name>.js`. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  [...names, ...islandNames.map((name) => `islands/${name}`)].map(readAsset),
);

/** The part of the interface font that nearly every page needs. */
export const FONT = "islands/inter-latin.woff2";

/** Its address, which changes with its content, so that it may be kept for ever. */
export const assetUrl = (name: string): string => `/assets/${assets.get(name)?.version}/${name}`;

/**
 * The script that restores the open tree before the first paint. It stands in the page itself: a request for it would
 * hold back the text.
 */
export const KEPT_TREE = String(assets.get("kept-tree.js")?.bytes ?? "");
