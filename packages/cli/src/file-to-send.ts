import { accessSync, constants, openAsBlob, statSync } from "node:fs";
import { usage } from "./command-error.ts";

/** Opens a file to send. Checks it first, because a missing or unreadable file would abort the request. */
export async function fileToSend(path: string): Promise<Blob> {
  accessSync(path, constants.R_OK);
  if (!statSync(path).isFile()) throw usage(`${path} is not a file.`);
  return openAsBlob(path);
}
