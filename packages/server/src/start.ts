import { join } from "node:path";

/** What V8 and the C library's allocator are told; docs/decisions/0003 says why. */
const V8_OPTIONS = ["--min-semi-space-size=8", "--max-semi-space-size=8", "--no-allocation-site-pretenuring"];
const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

// Both want to know when a process begins, so this one becomes the server: the same process id, the same streams. What
// whoever starts it has said comes first. Windows cannot do that; there the server does without, slower and larger.
if (process.platform === "win32" || process.execve === undefined) await import("./main.ts");
else {
  const main = join(import.meta.dirname, "main.ts");
  const words = [process.execPath, ...V8_OPTIONS, ...process.execArgv, main, ...process.argv.slice(2)];
  process.execve(process.execPath, words, { ...MALLOC_SETTINGS, ...process.env });
}
