import { readdirSync, readFileSync } from "node:fs";

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly command: string;
  readonly environment: string;
}

/** Every process of this machine, except those that have ended and wait to be reaped; none without Linux's `/proc`. */
function runningProcesses(): RunningProcess[] {
  const found: RunningProcess[] = [];
  for (const pid of listProcesses()) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z") continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      found.push({ pid: Number(pid), parent: Number(parent), group: Number(group), command, environment });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

function listProcesses(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/**
 * The processes of the group that `leader` leads, all that descend from it in whatever group, and all that have inherited
 * `marker` in their environment: descendants with a group of their own whose parent has ended.
 */
function processTree(leader: number, marker: string): RunningProcess[] {
  const all = runningProcesses();
  const pids = new Set([leader]);
  const belongs = ({ parent, group, environment }: RunningProcess) =>
    group === leader || pids.has(parent) || environment.includes(marker);
  for (let size = 0; size < pids.size; ) {
    size = pids.size;
    for (const one of all) if (belongs(one)) pids.add(one.pid);
  }
  return all.filter(({ pid }) => pids.has(pid));
}

/** Ends that tree at once. Returns the commands that were still running besides the leader's. */
export function killTree(leader: number, marker: string): string[] {
  const tree = processTree(leader, marker);
  for (const { pid } of tree) kill(pid);
  kill(-leader);
  return tree.filter(({ pid }) => pid !== leader).map(({ command }) => command);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
