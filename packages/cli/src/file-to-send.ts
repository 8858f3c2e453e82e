import { accessSync, constants, openAsBlob, statSync } from "node:fs";
import { usage } from "./command-error.ts";

/** A file to send. What is none, or may not be read, is told before: the request would only break off. */
export async function fileToSend(path: string): Promise<Blob> {
  accessSync(path, constants.R_OK);
  if (!statSync(path).isFile()) throw usage(`${path} is not a file.`);
  return openAsBlob(path);
}
