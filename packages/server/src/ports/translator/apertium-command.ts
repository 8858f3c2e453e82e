import { spawn } from "node:child_process";
import { ProviderError } from "../provider-error.ts";
import type { ApertiumEngine } from "./apertium.ts";
import type { ApertiumPair } from "./apertium-languages.ts";
import { keepOuterSpace } from "./split-text.ts";
import { hasWords } from "./translate-in-pieces.ts";

interface CommandOptions {
  /** The program, found on the PATH. */
  readonly command: string;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

const provider = "apertium";

/**
 * Runs the `apertium` command, one process for a batch. Its text format treats a blank line as the end of a sentence.
 */
export function apertiumCommand(options: CommandOptions): ApertiumEngine {
  return {
    maxPieceLength: 10_000,
    maxBatchItems: 500,
    maxBatchLength: 100_000,
    listPairs: async (signal) => readModes(await run(options, ["-l"], "", signal)),
    async translateTexts(texts, { source, target }, signal) {
      const lines = texts.map((text) => text.replaceAll("\0", " ").split("\n"));
      const worded = lines.flat().filter(hasWords);
      const input = worded.map((line) => line.trim().replaceAll("\r", " ")).join("\n\n");
      const output = await run(options, ["-u", `${source}-${target}`], `${input}\n`, signal);
      return regroup(lines, readLines(output, worded.length));
    },
  };
}

function readLines(output: string, count: number): string[] {
  const lines = output.replace(/\n$/, "").split("\n\n");
  if (lines.length !== count) throw new ProviderError("provider_nonsense", provider, "lines went missing");
  return lines;
}

/** Puts the translated lines in place of the source's lines with words; the others stay as they are. */
function regroup(lines: readonly (readonly string[])[], translated: readonly string[]): string[] {
  let taken = 0;
  const translate = (line: string) => (hasWords(line) ? keepOuterSpace(line, translated[taken++] ?? "") : line);
  return lines.map((group) => group.map(translate).join("\n"));
}

/** Modes are named `eng-spa`; those with more parts are not translators. */
function readModes(output: string): ApertiumPair[] {
  return output.split(/\s+/).flatMap((mode) => {
    const [source, target, ...rest] = mode.split("-");
    return source && target && rest.length === 0 ? [{ source, target }] : [];
  });
}

/** The command is a pipe of programs, which form one process group and end together. */
function run(options: CommandOptions, args: readonly string[], input: string, signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    // The command opens its input by name, which works for a pipe but not for the socket that Node provides.
    const child = spawn("sh", ["-c", 'cat | "$0" "$@"', options.command, ...args], {
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (error: unknown) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if (error === undefined) return resolve(Buffer.concat(chunks).toString());
      endGroup(child.pid);
      reject(error);
    };
    const fail = (code: "provider_unreachable" | "provider_refused" | "provider_nonsense", what: string) =>
      finish(new ProviderError(code, provider, what));
    const onAbort = () => finish(signal?.reason);
    const timer = setTimeout(() => fail("provider_unreachable", "did not answer in time"), options.timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    child.on("error", () => fail("provider_unreachable", "the command cannot be started"));
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > options.maxAnswerBytes) fail("provider_nonsense", "the answer is too long");
      else chunks.push(chunk);
    });
    child.on("close", (code) => (code === 0 ? finish(undefined) : fail("provider_refused", `ended with ${code}`)));
    // A command that ends early closes its input; its exit code says why.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
