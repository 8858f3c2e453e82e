#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { codeCacheFolder } from "./places.ts";

// Compiled once, the code starts in a quarter of the time; where nothing can be kept, it starts all the same.
enableCompileCache(codeCacheFolder());
await import("./main.ts");
