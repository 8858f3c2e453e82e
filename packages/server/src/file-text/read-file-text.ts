import { isTooSlow, runInBackground } from "../threads/pool.ts";
import type { FileText, FileToRead } from "./file-text.ts";
import { DEADLINE_MS, MAX_FILE_BYTES } from "./limits.ts";
import type { readFileText } from "./read-worker.ts";

const WORKER = new URL("./read-worker.ts", import.meta.url);

type Tasks = { readonly readFileText: typeof readFileText };

/** Reads a file in a thread of its own. Whatever the file does there, the process lives and gets an answer. */
export async function textOfFile(file: FileToRead, deadlineMs = DEADLINE_MS): Promise<FileText> {
  if (file.bytes.length > MAX_FILE_BYTES) return { status: "failed", reason: "too_large" };
  try {
    return await runInBackground<Tasks, "readFileText">(WORKER, "readFileText", file, deadlineMs);
  } catch (error) {
    // The thread was ended because it took too long or too much memory.
    return { status: "failed", reason: isTooSlow(error) ? "too_slow" : "too_large" };
  }
}
