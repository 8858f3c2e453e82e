/** Runs an image as a container engine would: its own root, another user, a volume, and the network of this machine. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ImageConfig } from "./image-store.ts";

interface ContainerOptions {
  readonly root: string;
  readonly config: ImageConfig;
  /** The folder that is mounted at `/data`. */
  readonly volume: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly readOnly?: boolean;
  /** A file for the output, for a container that outlives this process. */
  readonly log?: number | undefined;
}

/** Arguments: root, volume, `ro` or `rw`, user, working directory, then the words of the command. */
const SCRIPT = `
set -e
root=$1 volume=$2 mode=$3 user=$4 folder=$5
shift 5
mount --bind "$root" "$root"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$volume" "$root/data"
if [ "$mode" = ro ]; then mount -o remount,ro,bind "$root"; fi
exec chroot --userspec="$user" "$root" /usr/bin/env -i -C "$folder" "$@"
`;

/** The process of the container: signals sent to it reach the program. */
export class Container {
  readonly child: ChildProcess;
  output = "";

  constructor(options: ContainerOptions) {
    const { root, config, volume, env = {}, command = config.Cmd, user = config.User, readOnly = false, log } = options;
    const settings = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const words = [...config.Entrypoint, ...command];
    const args = [root, volume, readOnly ? "ro" : "rw", user, config.WorkingDir, ...settings, ...words];
    this.child = spawn("unshare", ["--mount", "--", "sh", "-c", SCRIPT, "sh", ...args], {
      stdio: ["ignore", log ?? "pipe", log ?? "pipe"],
      detached: log !== undefined,
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
  }

  /** Waits until the output matches. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      if (this.child.exitCode !== null)
        throw new Error(`The container ended with ${this.child.exitCode}: ${this.output}`);
      await Promise.race([once(this.child, "close"), once(this.child.stdout ?? this.child, "data")]);
    }
  }

  /** The exit code. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "close");
    return this.child.exitCode;
  }

  async stop(): Promise<number | null> {
    this.child.kill("SIGTERM");
    return this.ended();
  }
}
