import { accessSync, constants, openAsBlob, statSync } from "node:fs";
import { usage } from "./command-error.ts";

/** A file to send. Checked first: a file that is missing or unreadable would break off the request. */
export async function fileToSend(path: string): Promise<Blob> {
  accessSync(path, constants.R_OK);
  if (!statSync(path).isFile()) throw usage(`${path} is not a file.`);
  return openAsBlob(path);
}
