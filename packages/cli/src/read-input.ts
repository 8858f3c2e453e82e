import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { failure, usage } from "./command-error.ts";
import { note } from "./output.ts";

export interface TextOption {
  readonly text?: string;
}

/** Reads text from `--text`, a file, or standard input (`-`, or if no file is named). */
export async function readInput(file: string | undefined, options: TextOption): Promise<string> {
  if (options.text !== undefined && file !== undefined) throw usage("Give a file or --text, not both.");
  if (options.text !== undefined) return options.text;
  return decode(file === undefined || file === "-" ? await standardInput() : readFileSync(file), file ?? "-");
}

async function standardInput(): Promise<Buffer> {
  if (process.stdin.isTTY) note("Reading from the terminal; end with Ctrl-D on a line of its own.");
  return buffer(process.stdin);
}

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw failure(`${file === "-" ? "Standard input" : file} is not a text in UTF-8.`);
  }
}
