/**
 * The reporter of every test process. It prints like `spec`, and reports counts and times to the run as lines of JSON on
 * file descriptor 3. They are written synchronously, so none is lost when the process is killed.
 */
import { writeSync } from "node:fs";
import { Readable } from "node:stream";
import { spec, type TestEvent } from "node:test/reporters";
import { processorSeconds } from "./processor-seconds.ts";

export type TestReport =
  | { readonly type: "start"; readonly name: string; readonly nesting: number }
  /** A test without a parent ended; `cpu` are the processor seconds of the process so far. */
  | { readonly type: "end"; readonly name: string; readonly ms: number; readonly cpu: number }
  | { readonly type: "pass" }
  | { readonly type: "skip"; readonly reason: string }
  | { readonly type: "fail"; readonly name: string }
  | { readonly type: "done" }
  | { readonly type: "exit"; readonly cpu: number };

/** Only line feeds end a line for the reader when everything beyond ASCII is escaped. */
const send = (report: TestReport): void => {
  const line = JSON.stringify(report).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeSync(3, `${line}\n`);
};

/** A suite fails by itself when its hooks or its own code fail, not when one of its tests does. */
function failsByItself({ type, error }: { type?: string; error: Error & { failureType?: string } }): boolean {
  return type !== "suite" || error.failureType !== "subtestsFailed";
}

function sendEvent({ type, data }: TestEvent): void {
  if (type === "test:dequeue") send({ type: "start", name: data.name, nesting: data.nesting });
  if (type === "test:complete" && data.nesting === 0)
    send({ type: "end", name: data.name, ms: data.details.duration_ms, cpu: processorSeconds() });
  if (type === "test:fail" && failsByItself(data.details)) send({ type: "fail", name: data.name });
  if (type !== "test:pass" || data.details.type === "suite") return;
  if (data.skip === undefined && data.todo === undefined) send({ type: "pass" });
  else send({ type: "skip", reason: String(data.skip || data.todo || data.name) });
}

/** The counts of one process say little in a run of hundreds. */
const isCount = ({ type, data }: TestEvent): boolean =>
  type === "test:diagnostic" &&
  data.nesting === 0 &&
  /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/.test(data.message);

async function* withoutCounts(source: AsyncIterable<TestEvent>) {
  for await (const event of source) {
    sendEvent(event);
    if (!isCount(event)) yield event;
  }
  send({ type: "done" });
}

export default async function* report(source: AsyncIterable<TestEvent>) {
  process.once("exit", () => send({ type: "exit", cpu: processorSeconds() }));
  yield* Readable.from(withoutCounts(source)).compose(new spec());
}
