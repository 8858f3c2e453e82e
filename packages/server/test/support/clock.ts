import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Set by the preloaded part at most so long after a step. */
const LOOK_MS = 20;

/** The clock of a server process, which can be set forward and back while it runs. Timers go on as ever. */
export class ServerClock implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "svc-clock-"));
  readonly #file = join(this.#directory, "offset");

  /** For the process whose clock this is. */
  get settings(): Record<string, string> {
    const preload = join(import.meta.dirname, "clock-preload.ts");
    return { NODE_OPTIONS: `--import ${preload}`, SVC_TEST_CLOCK: this.#file };
  }

  /** So far from the true time, from now on. */
  async set(offsetMs: number): Promise<void> {
    writeFileSync(this.#file, String(offsetMs));
    await sleep(5 * LOOK_MS);
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
