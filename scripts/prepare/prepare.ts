/** Runs at the end of `npm ci`: removes what nobody reads, and builds the browser's scripts. */
import { createRequire } from "node:module";
import { buildIslandsElsewhere } from "./build-elsewhere.ts";
import { removeUnread } from "./unread-files.ts";

function hasBundler(): boolean {
  try {
    return createRequire(import.meta.url).resolve("esbuild") !== "";
  } catch {
    return false;
  }
}

removeUnread();
if (hasBundler()) await (await import("@svc/web/build")).buildIslands();
else buildIslandsElsewhere();
