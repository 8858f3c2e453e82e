/**
 * What the memory allocator of glibc is told. By itself it gives each thread a pool of its own, and keeps what was freed: a
 * server holds 40 to 80 MB more after a load. It reads its settings when a process starts (docs/decisions/0003).
 */
const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

/** Those that whoever started the server has not set. */
export const mallocSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...MALLOC_SETTINGS,
  ...Object.fromEntries(Object.entries(env).filter(([name]) => name in MALLOC_SETTINGS)),
});
