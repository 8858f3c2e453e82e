/** Loaded before a server: its clock is off by as many milliseconds as a file says, whenever the file says another. */
import { readFileSync } from "node:fs";

const file = process.env.SVC_TEST_CLOCK ?? "";
const TrueDate = Date;
let offset = 0;

const look = () => {
  try {
    offset = Number(readFileSync(file, "utf8"));
  } catch {
    offset = 0;
  }
};

look();
setInterval(look, 20).unref();

class SteppedDate extends TrueDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(TrueDate.now() + offset);
    else super(...(parts as [number]));
  }

  static override now(): number {
    return TrueDate.now() + offset;
  }
}

globalThis.Date = SteppedDate as DateConstructor;
