/**
 * Runs each job of a test run in a process that leads a group of its own. Whatever a job has started ends with it, also
 * when its tests failed or it ran out of time.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { defined } from "@svc/document/defined";
import { killTree } from "./process-tree.ts";
import type { TestReport } from "./test-reporter.ts";

/** Test files that run in one process, or a command that passes when it exits with 0. */
export interface Job {
  /** Test files as the root of the repository names them; of a command, its name alone. */
  readonly files: readonly string[];
  readonly command: readonly string[];
  readonly isTests: boolean;
}

export interface FileTime {
  readonly seconds: number;
  readonly cpu: number;
}

interface JobResult {
  readonly passed: number;
  readonly skipped: readonly string[];
  /** One line for each failure, which begins with the file. */
  readonly failures: readonly string[];
  readonly times: ReadonlyMap<string, FileTime>;
}

const REPORTER = join(import.meta.dirname, "test-reporter.ts");
/** How long the output of a process that was killed is waited for. */
const CLOSE_MS = 5_000;

/** The command for one process of tests. `patterns` are options that select tests by name. */
export const testCommand = (place: string, patterns: readonly string[]): readonly string[] => [
  process.execPath,
  // A failed test may leave something running that would keep its process alive.
  "--test-force-exit",
  `--test-reporter=${REPORTER}`,
  "--test-reporter-destination=stdout",
  ...patterns,
  place,
];

const running = new Set<JobProcess>();

/** For a run that is interrupted: job processes are in groups of their own, which a terminal's signals do not reach. */
export function endJobs(): void {
  for (const job of running) job.end();
}

/** Gives each file `limitMs`, and hands `print` what the job prints as it comes. */
export async function runJob(job: Job, limitMs: number, print: (text: string) => void): Promise<JobResult> {
  const started = new JobProcess(job, limitMs, print);
  running.add(started);
  const result = await started.result();
  running.delete(started);
  return result;
}

class JobProcess {
  readonly #job: Job;
  readonly #limitMs: number;
  readonly #print: (text: string) => void;
  readonly #child: ChildProcess;
  readonly #id = randomBytes(9).toString("base64url");
  readonly #began = performance.now();
  readonly #skipped: string[] = [];
  readonly #failures: string[] = [];
  readonly #times = new Map<string, FileTime>();
  #passed = 0;
  #cpu = 0;
  #file: string;
  /** The innermost test that has begun last. */
  #test = "";
  #isDone = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(job: Job, limitMs: number, print: (text: string) => void) {
    this.#job = job;
    this.#limitMs = limitMs;
    this.#print = print;
    this.#file = defined(job.files[0]);
    const [program = "", ...args] = job.command;
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const env = { ...inherited, SVC_TEST_JOB: this.#id };
    this.#child = spawn(program, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding("utf8").on("data", print);
    const reports = createInterface({ input: this.#child.stdio[3] as Readable });
    reports.on("line", (line) => this.#take(JSON.parse(line)));
    this.#startTimer();
  }

  end(): void {
    if (this.#child.pid !== undefined) this.#killTree();
  }

  #killTree(): string[] {
    return killTree(defined(this.#child.pid), `SVC_TEST_JOB=${this.#id}`);
  }

  async result(): Promise<JobResult> {
    const closed = once(this.#child, "close");
    const [code, signal] = await once(this.#child, "exit");
    clearTimeout(this.#timer);
    // A process that outlives its test would hold the pipes open, and the run would wait for ever.
    const left = this.#killTree();
    if (left.length > 0) this.#print(`${this.#file} left behind: ${left.join("\n  ")}\n`);
    await Promise.race([closed, new Promise((next) => setTimeout(next, CLOSE_MS).unref())]);
    this.#judge(code, signal);
    return { passed: this.#passed, skipped: this.#skipped, failures: this.#failures, times: this.#times };
  }

  #judge(code: number | null, signal: string | null): void {
    if (!this.#job.isTests) this.#times.set(this.#file, { seconds: this.#seconds(), cpu: 0 });
    if (!this.#job.isTests && code === 0) this.#passed = 1;
    const count = this.#passed + this.#skipped.length + this.#failures.length;
    const isWell = code === 0 && (this.#isDone || !this.#job.isTests);
    if (code === 0 && count === 0) this.#fail("has no test");
    else if (!isWell && this.#failures.length === 0)
      this.#fail(`ended with ${signal ?? `exit code ${code}`}${this.#test && `, during "${this.#test}"`}`);
  }

  readonly #seconds = (): number => (performance.now() - this.#began) / 1000;

  #fail(what: string): void {
    this.#failures.push(`${this.#file}: ${what}`);
  }

  #take(report: TestReport): void {
    if (report.type === "pass") this.#passed++;
    else if (report.type === "skip") this.#skipped.push(report.reason);
    else if (report.type === "fail") this.#fail(report.name);
    else if (report.type === "start") this.#start(report);
    else if (report.type === "end") this.#end(report);
    else if (report.type === "done") this.#isDone = true;
    else this.#takeTimes(report.cpu);
  }

  #start({ name, nesting }: TestReport & { type: "start" }): void {
    this.#test = name;
    // In a process of several files each is a suite that is named after it.
    if (nesting > 0 || !this.#job.files.includes(name)) return;
    this.#file = name;
    this.#startTimer();
  }

  #end({ name, ms, cpu }: TestReport & { type: "end" }): void {
    if (!this.#job.files.includes(name)) return;
    this.#times.set(name, { seconds: ms / 1000, cpu: cpu - this.#cpu });
    this.#cpu = cpu;
  }

  /** The processor time that belongs to no single file is shared by all of the process. */
  #takeTimes(cpu: number): void {
    const { files } = this.#job;
    const rest = (cpu - this.#cpu) / files.length;
    for (const file of files) {
      const { seconds, cpu: own } = this.#times.get(file) ?? { seconds: this.#seconds() / files.length, cpu: 0 };
      this.#times.set(file, { seconds, cpu: own + rest });
    }
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    if (!Number.isFinite(this.#limitMs)) return;
    this.#timer = setTimeout(() => this.#outOfTime(), this.#limitMs);
  }

  #outOfTime(): void {
    this.#fail(`not finished after ${this.#limitMs / 1000} s${this.#test && `, during "${this.#test}"`}`);
    this.end();
  }
}
