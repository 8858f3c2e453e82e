#!/usr/bin/env node
import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { dirname } from "node:path";
import { codeCacheFolder } from "./places.ts";

/** Folder by folder: asked for a whole path, Node never comes back from some places that take none. */
function madeFolder(folder: string): boolean {
  try {
    for (const step of [dirname(dirname(folder)), dirname(folder), folder])
      if (!existsSync(step)) mkdirSync(step, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

// Compiled once, the code starts in a quarter of the time; where nothing can be kept, it starts all the same.
const folder = codeCacheFolder();
if (madeFolder(folder)) enableCompileCache(folder);
await import("./main.ts");
