import cluster, { type Worker as Child } from "node:cluster";
import { createServer } from "node:net";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { portOf } from "../http/port-of.ts";
import { LogOutput, makeLog } from "../operation/log.ts";
import { mergeMetrics } from "../operation/merge-metrics.ts";
import { type FromWorker, SAME_SIGNAL_MS, SHUTDOWN_LIMIT_MS, type ToWorker, WORKER_NUMBER } from "./messages.ts";
import { gatherMetrics } from "./metrics-round.ts";
import { restartDelay } from "./restart-delay.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

/** A little more than the workers give themselves. */
const KILL_AFTER_MS = SHUTDOWN_LIMIT_MS + 1000;

/** A worker could not start; it has said why. */
class CouldNotStart extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("A worker could not start.");
    this.exitCode = exitCode;
  }
}

/** The place of one worker, whichever process fills it. */
interface Place {
  readonly number: number;
  child: Child | undefined;
  servingSince: number | undefined;
  /** Ends in a row, each soon after a start. */
  failures: number;
  restarts: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Serves with several processes on one port. This process accepts connections and hands them to the workers in turn
 * (why: docs/decisions/0002-workers-by-cluster.md), replaces workers that die, and ends with them. It opens no database.
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
  readonly #places: readonly Place[];
  #port = 0;
  #started = false;
  #stopping = false;
  #stoppingSince: number | undefined;
  #killed = false;

  constructor(config: Config, log: Logger, flushLog: () => void) {
    this.#config = config;
    this.#log = log;
    this.#flushLog = flushLog;
    this.#places = Array.from({ length: config.workers }, (_, index) => ({
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
      // One after the other: the first migrates the store, and what is wrong is said once.
      let address = "";
      for (const place of this.#places) if (!this.#stopping) address = await this.#start(place);
      if (this.#stopping) return;
      this.#started = true;
      this.#log.info({ address, workers: this.#places.map(pidOf) }, "serving");
      this.#flushLog();
      this.#tell(this.#places[0], { kind: "offer-setup", address });
    } catch (error) {
      if (!(error instanceof CouldNotStart)) throw error;
      if (!this.#stopping) this.#end(error.exitCode);
    }
  }

  /** Fills a place with a new process. Answers its address when it serves. */
  #start(place: Place): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const settings = { [WORKER_NUMBER]: String(place.number), SVC_PORT: String(this.#port) };
    const child = cluster.fork(settings);
    place.child = child;
    child.on("message", (message: FromWorker) => {
      if (message.kind === "serving") {
        place.servingSince = performance.now();
        resolve(message.address);
      } else if (message.kind === "want-metrics") this.#gather(place, message.request);
    });
    child.once("exit", (code, signal) => {
      const { servingSince } = place;
      place.child = undefined;
      place.servingSince = undefined;
      reject(new CouldNotStart(code || 1));
      if (this.#stopping) this.#endIfLast(code, signal);
      else if (this.#started || servingSince !== undefined) this.#replace(place, servingSince, { code, signal });
    });
    return promise;
  }

  /** A worker that a signal of a stop met before it knew what to do with it has ended as it should. */
  #endIfLast(code: number, signal: string | null): void {
    if (code !== 0 && signal !== "SIGTERM" && signal !== "SIGINT") this.#killed = true;
    if (this.#places.every(({ child }) => child === undefined)) process.exit(this.#killed ? 1 : 0);
  }

  #replace(place: Place, servingSince: number | undefined, why: { code: number; signal: string | null }): void {
    const served = servingSince === undefined ? 0 : performance.now() - servingSince;
    const { failures, delay } = restartDelay(place.failures, served);
    place.failures = failures;
    this.#log.error({ worker: place.number, ...why, restart_in_ms: delay }, "a worker ended and is replaced");
    place.timer = setTimeout(() => {
      place.restarts++;
      this.#start(place).then(
        () => this.#log.info({ worker: place.number, pid: pidOf(place) }, "serving again"),
        () => undefined,
      );
    }, delay);
  }

  #tell(place: Place | undefined, message: ToWorker): void {
    if (place?.child?.isConnected()) place.child.send(message, () => undefined);
  }

  /** Asks every worker that serves for its figures and answers with all of them. */
  #gather(asker: Place, request: number): void {
    const children = this.#places.flatMap(({ child, servingSince }) => (child && servingSince ? [child] : []));
    const restarts = [
      "# HELP svc_worker_restarts_total Worker processes that ended and were replaced.",
      "# TYPE svc_worker_restarts_total counter",
      ...this.#places.map((place) => `svc_worker_restarts_total{worker="${place.number}"} ${place.restarts}`),
    ].join("\n");
    gatherMetrics(children).then((texts) =>
      this.#tell(asker, { kind: "all-metrics", request, text: mergeMetrics([restarts, ...texts]) }),
    );
  }

  /** The first signal stops cleanly, another one later at once. */
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
    const running = this.#places.filter(({ child }) => child !== undefined);
    for (const { timer } of this.#places) clearTimeout(timer);
    if (running.length === 0) process.exit(exitCode);
    for (const { child } of running) child?.process.kill(how);
    setTimeout(() => {
      for (const { child } of running) child?.process.kill("SIGKILL");
    }, KILL_AFTER_MS).unref();
  }
}

const pidOf = ({ child }: Place): number | undefined => child?.process.pid;

/** Fails if the port cannot be listened on, before any worker is started. Answers it, or a free one for 0. */
function checkPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen({ host, port }, () => {
      const found = portOf(probe);
      probe.close(() => resolve(found));
    });
  });
}
