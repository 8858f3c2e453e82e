import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftsFolder } from "../places.ts";

/** A text under way, in a file that only its owner can read. It is there until `remove`, whatever happens. */
export class Draft {
  readonly file: string;

  constructor(documentId: string, content: string) {
    const folder = draftsFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const time = new Date().toISOString().replace(/[-:]|\..*/g, "");
    this.file = join(folder, `${documentId}-${time}-${process.pid}.md`);
    this.write(content);
  }

  read = (): string => readFileSync(this.file, "utf8");
  write = (content: string): void => writeFileSync(this.file, content, { mode: 0o600 });
  remove = (): void => rmSync(this.file, { force: true });
}
