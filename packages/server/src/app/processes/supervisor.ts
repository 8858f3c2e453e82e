import cluster, { type Worker as Child } from "node:cluster";
import { createServer } from "node:net";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { portOf } from "../../http/port-of.ts";
import { LogOutput, makeLog } from "../../operation/log.ts";
import { type FromWorker, SAME_SIGNAL_MS, SHUTDOWN_LIMIT_MS, type ToWorker, WORKER_NUMBER } from "./messages.ts";
import { mergedMetrics } from "./metrics-round.ts";
import { restartDelay } from "./restart-delay.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

/** A little more than the limit of the workers themselves. */
const KILL_AFTER_MS = SHUTDOWN_LIMIT_MS + 1000;

/** A worker could not start and has reported why. */
class CouldNotStart extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("A worker could not start.");
    this.exitCode = exitCode;
  }
}

/** The slot of one worker, whichever process fills it. */
interface WorkerSlot {
  readonly number: number;
  child: Child | undefined;
  servingSince: number | undefined;
  /** Consecutive ends, each soon after a start. */
  failures: number;
  restarts: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Serves with several processes on one port. This process accepts connections and hands them to the workers in turn
 *, replaces workers that die, and ends with them. It opens no
 * database.
 */
export async function supervise(config: Config): Promise<void> {
  const output = new LogOutput();
  const log = makeLog(config.logLevel, output);
  warnOfSettings(log, config);
  await new Supervisor(config, log, () => output.flush()).run();
}

class Supervisor {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #flushLog: () => void;
  readonly #slots: readonly WorkerSlot[];
  #port = 0;
  #started = false;
  #stopping = false;
  #stoppingSince: number | undefined;
  #killed = false;

  constructor(config: Config, log: Logger, flushLog: () => void) {
    this.#config = config;
    this.#log = log;
    this.#flushLog = flushLog;
    this.#slots = Array.from({ length: config.workers }, (_, index) => ({
      number: index + 1,
      child: undefined,
      servingSince: undefined,
      failures: 0,
      restarts: 0,
      timer: undefined,
    }));
  }

  async run(): Promise<void> {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => this.#stop(signal));
    cluster.schedulingPolicy = cluster.SCHED_RR;
    this.#port = await checkPort(this.#config.host, this.#config.port);
    try {
      // Starts one after the other: the first migrates the store, and a problem is reported once.
      let address = "";
      for (const slot of this.#slots) if (!this.#stopping) address = await this.#start(slot);
      if (this.#stopping) return;
      this.#started = true;
      this.#log.info({ address, workers: this.#slots.map(pidOf) }, "serving");
      this.#flushLog();
      this.#send(this.#slots[0], { kind: "offer-setup", address });
    } catch (error) {
      if (!(error instanceof CouldNotStart)) throw error;
      if (!this.#stopping) this.#end(error.exitCode);
    }
  }

  /** Fills a slot with a new process. Resolves to its address when it serves. */
  #start(slot: WorkerSlot): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const settings = { [WORKER_NUMBER]: String(slot.number), SVC_PORT: String(this.#port) };
    const child = cluster.fork(settings);
    slot.child = child;
    child.on("message", (message: FromWorker) => {
      if (message.kind === "serving") {
        slot.servingSince = performance.now();
        resolve(message.address);
      } else if (message.kind === "want-metrics") this.#gather(slot, message.request);
    });
    child.once("exit", (code, signal) => {
      const { servingSince } = slot;
      slot.child = undefined;
      slot.servingSince = undefined;
      reject(new CouldNotStart(code || 1));
      if (this.#stopping) this.#endIfLast(code, signal);
      else if (this.#started || servingSince !== undefined) this.#replace(slot, servingSince, { code, signal });
    });
    return promise;
  }

  /** A worker that was stopped by a signal before it had installed its handlers has ended correctly. */
  #endIfLast(code: number, signal: string | null): void {
    if (code !== 0 && signal !== "SIGTERM" && signal !== "SIGINT") this.#killed = true;
    if (this.#slots.every(({ child }) => child === undefined)) process.exit(this.#killed ? 1 : 0);
  }

  #replace(slot: WorkerSlot, servingSince: number | undefined, why: { code: number; signal: string | null }): void {
    const served = servingSince === undefined ? 0 : performance.now() - servingSince;
    const { failures, delay } = restartDelay(slot.failures, served);
    slot.failures = failures;
    this.#log.error({ worker: slot.number, ...why, restart_in_ms: delay }, "a worker ended and will be replaced");
    slot.timer = setTimeout(() => {
      slot.restarts++;
      this.#start(slot).then(
        () => this.#log.info({ worker: slot.number, pid: pidOf(slot) }, "serving again"),
        () => undefined,
      );
    }, delay);
  }

  #send(slot: WorkerSlot | undefined, message: ToWorker): void {
    if (slot?.child?.isConnected()) slot.child.send(message, () => undefined);
  }

  /** Asks every serving worker for its metrics and answers with all of them. */
  #gather(asker: WorkerSlot, request: number): void {
    const children = this.#slots.flatMap(({ child, servingSince }) => (child && servingSince ? [child] : []));
    const restarts = this.#slots.map((slot) => ({ labels: { worker: String(slot.number) }, value: slot.restarts }));
    mergedMetrics(children, restarts).then((text) => this.#send(asker, { kind: "all-metrics", request, text }));
  }

  /** The first signal stops cleanly; a later second one stops at once. */
  #stop(signal: NodeJS.Signals): void {
    const since = this.#stoppingSince;
    if (since !== undefined && performance.now() - since < SAME_SIGNAL_MS) return;
    if (since === undefined) this.#log.info({ signal }, "stopping");
    this.#stoppingSince ??= performance.now();
    this.#end(0, since === undefined ? "SIGTERM" : "SIGKILL");
  }

  #end(exitCode: number, how: "SIGTERM" | "SIGKILL" = "SIGTERM"): void {
    this.#stopping = true;
    this.#killed ||= exitCode !== 0;
    const running = this.#slots.filter(({ child }) => child !== undefined);
    for (const { timer } of this.#slots) clearTimeout(timer);
    if (running.length === 0) process.exit(exitCode);
    for (const { child } of running) child?.process.kill(how);
    setTimeout(() => {
      for (const { child } of running) child?.process.kill("SIGKILL");
    }, KILL_AFTER_MS).unref();
  }
}

const pidOf = ({ child }: WorkerSlot): number | undefined => child?.process.pid;

/** Throws if the port is not available, before any worker is started. Returns the port, or a free one for 0. */
function checkPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen({ host, port }, () => {
      const found = portOf(probe);
      probe.close(() => resolve(found));
    });
  });
}
