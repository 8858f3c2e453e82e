import { join, resolve } from "node:path";
import type { Effort } from "./compare.ts";
import { type Curve, isMet, ResultFiles, type Row, ratioOf } from "./results.ts";
import { slopeOf } from "./statistics.ts";

/** How much is measured. */
export interface Scale {
  readonly rounds: number;
  /** Multiplies the times and the warm-ups. */
  readonly effort: number;
  /** Documents of about 10 KB in the store. */
  readonly documents: number;
  /** The subset that warm reads cycle through. */
  readonly readDocuments: number;
  /** Documents that edits are spread over. */
  readonly editDocuments: number;
  /** Blocks of the large document. */
  readonly largeBlocks: number;
  readonly streams: number;
  readonly fileBytes: number;
  /** Documents of about 1 KB in the exported knowledge base. */
  readonly exportDocuments: number;
  /** How far growth goes, as a share of the whole range. */
  readonly growth: number;
}

const scales = {
  full: {
    rounds: 5,
    effort: 1,
    documents: 2000,
    readDocuments: 100,
    editDocuments: 100,
    largeBlocks: 10_000,
    streams: 1000,
    fileBytes: 50_000_000,
    exportDocuments: 10_000,
    growth: 1,
  },
  quick: {
    rounds: 3,
    effort: 0.2,
    documents: 300,
    readDocuments: 100,
    editDocuments: 100,
    largeBlocks: 10_000,
    streams: 200,
    fileBytes: 10_000_000,
    exportDocuments: 1000,
    growth: 0.1,
  },
  smoke: {
    rounds: 1,
    effort: 0.01,
    documents: 8,
    readDocuments: 4,
    editDocuments: 3,
    largeBlocks: 300,
    streams: 5,
    fileBytes: 100_000,
    exportDocuments: 20,
    growth: 0.001,
  },
} satisfies Record<string, Scale>;

interface RunSettings {
  readonly scale: Scale;
  /** Which `part: operation` names are wanted. */
  readonly only: RegExp;
  /** Leave out what already has a result. */
  readonly resume: boolean;
  readonly files: ResultFiles;
  readonly say: (line: string) => void;
}

/** `QUICK=1` or `SMOKE=1`, `ONLY` (a regular expression), `ROUNDS`, `DOCUMENTS`, `RESUME=1`, `RESULTS` (a directory). */
export function readSettings(env: NodeJS.ProcessEnv): RunSettings {
  const scale = env.SMOKE === "1" ? scales.smoke : env.QUICK === "1" ? scales.quick : scales.full;
  const rounds = env.ROUNDS === undefined ? scale.rounds : Number(env.ROUNDS);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error(`ROUNDS is ${env.ROUNDS}, allowed is a whole number.`);
  const documents = env.DOCUMENTS === undefined ? scale.documents : Number(env.DOCUMENTS);
  if (!(Number.isInteger(documents) && documents > 1)) throw new Error(`DOCUMENTS is ${env.DOCUMENTS}, not a number.`);
  return {
    scale: { ...scale, rounds, documents },
    only: new RegExp(env.ONLY ?? ""),
    resume: env.RESUME === "1",
    files: new ResultFiles(env.RESULTS ?? join(resolve(import.meta.dirname, ".."), "results")),
    say: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** One run: what is wanted of it, and where its results go. */
export class Run {
  readonly scale: Scale;
  readonly #settings: RunSettings;
  readonly failures: string[] = [];

  constructor(settings: RunSettings) {
    this.#settings = settings;
    this.scale = settings.scale;
  }

  say(line: string): void {
    this.#settings.say(line);
  }

  /** Whether this operation is to be measured now. */
  wants(part: string, operation: string): boolean {
    const { only, resume, files } = this.#settings;
    if (!only.test(`${part}: ${operation}`)) return false;
    if (!resume) return true;
    const known = files.load(part);
    return ![...(known?.rows ?? []), ...(known?.curves ?? [])].some((item) => item.operation === operation);
  }

  effort(ms: number, warmUp: number, warmUpMs = 4000): Effort {
    const { effort, rounds } = this.scale;
    const least = (value: number) => Math.max(1, Math.round(value * effort));
    return { rounds, ms: least(ms), warmUp: least(warmUp), warmUpMs: least(warmUpMs) };
  }

  row(row: Row): void {
    this.#settings.files.add({ row });
    const met = isMet(row);
    const cells = row.cells.map((cell) => {
      const at = cell.connections ? `${cell.connections} conn. ` : "";
      return `${at}${shown(cell.ours.value)} of ${shown(cell.limit.value)} ${row.unit}, ${ratioOf(cell).toFixed(2)}`;
    });
    const verdict = met === undefined ? "" : met ? " met" : " MISSED";
    this.say(`  ${row.operation}: ${cells.join("; ")}${verdict}`);
  }

  curve(curve: Curve): void {
    this.#settings.files.add({ curve });
    const slope = slopeOf(curve.points);
    const verdict = curve.bound === undefined ? "" : slope <= curve.bound ? " met" : " MISSED";
    const points = curve.points.map(({ x, y }) => `${x}: ${shown(y)}`).join(", ");
    this.say(`  ${curve.operation}: slope ${slope.toFixed(2)}${verdict} (${points} ${curve.unit})`);
  }

  /** Says how it went, and ends the process. */
  finish(began: number): never {
    const seconds = Math.round((performance.now() - began) / 1000);
    this.say(`${seconds} s; results in ${this.#settings.files.directory}`);
    if (this.failures.length > 0) this.say(`!!! failed: ${this.failures.join(", ")}`);
    process.exit(this.failures.length > 0 ? 1 : 0);
  }

  /** Runs one piece; when it fails the others still run. */
  async attempt(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.failures.push(name);
      this.say(`!!! ${name} failed: ${error instanceof Error ? error.stack : error}`);
    }
  }
}

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
