import { readdirSync, readFileSync } from "node:fs";

/** A process and all that it started. */
export function familyOf(pid: number): number[] {
  const children = new Set<number>();
  for (const task of readdirSync(`/proc/${pid}/task`))
    for (const child of readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" "))
      if (child) children.add(Number(child));
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

/** Resident memory of a process and of its children, in MB. */
export const residentMemory = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => {
    const status = readFileSync(`/proc/${one}/status`, "utf8");
    return sum + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }, 0);
