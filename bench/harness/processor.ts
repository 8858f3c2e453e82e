import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Reads a process's figures; undefined when it has just ended. */
function readOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** A process and all that it started. */
function familyOf(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/task`)) return [];
  const children = new Set<number>();
  for (const task of readdirSync(`/proc/${pid}/task`))
    for (const child of readOf(pid, `task/${task}/children`).trim().split(" ")) if (child) children.add(Number(child));
  return [pid, ...[...children].flatMap(familyOf)];
}

/**
 * Microseconds that all threads of a process and of its children have run. Unlike the clock it does not count what
 * neighbours on the machine take.
 */
export function processorTime(pid: number): number {
  let nanoseconds = 0;
  for (const one of familyOf(pid))
    for (const task of readdirSync(`/proc/${one}/task`))
      nanoseconds += Number(readFileSync(`/proc/${one}/task/${task}/schedstat`, "utf8").split(" ")[0]);
  return nanoseconds / 1000;
}

/** Ticks per second of the clock that `/proc` counts with. */
const TICK_US = 10_000;

/**
 * Microseconds that a process and its children have run, those included that have ended: coarser than `processorTime`,
 * which does not know what ended threads have done.
 */
export function processorTotal(pid: number): number {
  let ticks = 0;
  for (const one of familyOf(pid)) {
    const fields = readOf(one, "stat")
      .replace(/^.*\) /, "")
      .split(" ");
    // Its own time, and that of children that it has waited for.
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks * TICK_US;
}

const memoryLine = (pid: number, name: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

/** Resident memory of a process and of its children, in MB. */
export const residentMemory = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => sum + memoryLine(one, "VmRSS"), 0);

/** By how many MB the resident memory of a process rises at most while something runs. */
export async function memoryRise(pid: number, work: () => Promise<unknown>): Promise<number> {
  // Makes the kernel's mark of the highest value start anew.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = memoryLine(pid, "VmRSS");
  await work();
  return Math.max(0, memoryLine(pid, "VmHWM") - before);
}
