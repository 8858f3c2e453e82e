import { readFileSync } from "node:fs";

/** The shell commands of a Markdown page, block by block. */
export const shellBlocks = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
