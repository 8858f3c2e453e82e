import { fileURLToPath } from "node:url";

/** Options for V8 and the C library's allocator; the folder's README says why. */
const V8_OPTIONS = ["--min-semi-space-size=8", "--max-semi-space-size=8", "--no-allocation-site-pretenuring"];
const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

// Both read their options when a process begins, so this process replaces itself by the server: same process id, same
// streams. Options set by the caller come first. Windows cannot do that; there the server runs without the options,
// slower and larger.
if (process.platform === "win32" || process.execve === undefined) await import("./main.ts");
else {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const words = [process.execPath, ...V8_OPTIONS, ...process.execArgv, main, ...process.argv.slice(2)];
  process.execve(process.execPath, words, { ...MALLOC_SETTINGS, ...process.env });
}
