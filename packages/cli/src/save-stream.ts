import { createWriteStream, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { usage } from "./command-error.ts";
import { EXIT } from "./exit-codes.ts";
import type { Progress } from "./progress.ts";
import { safeName } from "./sync/names.ts";

const STANDARD_OUTPUT = "-";
const ENDINGS = ["SIGINT", "SIGTERM"] as const;

/**
 * The file that a download is to become: in a folder under its own name, never over another one unasked. `-` is
 * standard output.
 */
export function targetFile(given: string | undefined, name: string, force: boolean | undefined): string {
  if (given === STANDARD_OUTPUT) return given;
  const safe = safeName(name);
  const file = given === undefined ? safe : isFolder(given) ? join(given, safe) : given;
  if (!force && existsSync(file)) throw usage(`${file} is there already: add --force to replace it.`);
  return file;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Brings a download to its target. Answers the size of the file; undefined where it went to standard output. */
export async function deliver(
  stream: globalThis.ReadableStream<Uint8Array>,
  target: string,
  progress: Progress,
): Promise<number | undefined> {
  try {
    await (target === STANDARD_OUTPUT ? printStream(stream) : saveStream(stream, target));
  } finally {
    progress.end();
  }
  return target === STANDARD_OUTPUT ? undefined : statSync(target).size;
}

/** Writes a stream into a file that is complete or not there. */
async function saveStream(stream: globalThis.ReadableStream<Uint8Array>, file: string): Promise<void> {
  const partial = `${file}.part-${process.pid}`;
  const leave = () => {
    rmSync(partial, { force: true });
    process.exit(EXIT.interrupted);
  };
  for (const signal of ENDINGS) process.once(signal, leave);
  try {
    await pipeline(stream, createWriteStream(partial, { flags: "wx" }));
    renameSync(partial, file);
  } finally {
    for (const signal of ENDINGS) process.off(signal, leave);
    rmSync(partial, { force: true });
  }
}

const printStream = (stream: globalThis.ReadableStream<Uint8Array>): Promise<void> =>
  pipeline(stream, process.stdout, { end: false });
