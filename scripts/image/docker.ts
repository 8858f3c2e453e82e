/**
 * Stands in for `docker` where documented commands are run: `build`, `run`, `logs`, `exec`, `stop`, `rm`, `compose up|logs|down`.
 * `Container` runs, and a build gives its name to the image that the test has built (SVC_TEST_IMAGE). Containers share
 * this machine's network, so SVC_TEST_PORT takes the place of the published port 3000. Volumes and the list of
 * containers are below SVC_TEST_DOCKER.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { Container } from "./container.ts";
import { type ImageConfig, ImageStore } from "./image-store.ts";

const state = process.env.SVC_TEST_DOCKER ?? "";
const port = process.env.SVC_TEST_PORT ?? "";
const built = process.env.SVC_TEST_IMAGE ?? "";
const store = new ImageStore();

interface Running {
  readonly pid: number;
  readonly root: string;
  readonly config: ImageConfig;
  readonly env: readonly string[];
}

const fileOf = (name: string, ending: string): string => join(state, `${name}.${ending}`);
const imageOf = (tag: string): string => `localhost/${tag}`;
const readRunning = (name: string): Running => JSON.parse(readFileSync(fileOf(name, "json"), "utf8"));

/** A named volume gets the owner of the image's folder when it is made, as in Docker. */
function folderOf(volume: string): string {
  if (isAbsolute(volume) || volume.startsWith(".")) return resolve(volume);
  const folder = join(state, "volumes", volume);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    chownSync(folder, 10001, 10001);
  }
  return folder;
}

interface RunOptions {
  readonly name: string;
  readonly detach: boolean;
  readonly image: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly volume: string;
  readonly user?: string | undefined;
  readonly readOnly: boolean;
}

async function run(options: RunOptions): Promise<number> {
  const { name, detach, image, command, volume, readOnly } = options;
  const config = store.configOf(imageOf(image));
  const root = store.mount(imageOf(image));
  const env = { ...options.env, SVC_PORT: port };
  const user = options.user ?? config.User;
  const log = detach ? openSync(fileOf(name, "log"), "a") : undefined;
  const words = command.length > 0 ? { command } : {};
  const container = new Container({ root, config, volume: folderOf(volume), env, user, readOnly, log, ...words });
  const list = [...config.Env, ...Object.entries(env).map(([key, value]) => `${key}=${value}`)];
  const running: Running = { pid: container.child.pid ?? 0, root, config: { ...config, User: user }, env: list };
  writeFileSync(fileOf(name, "json"), JSON.stringify(running));
  if (detach) {
    container.child.unref();
    return 0;
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => container.child.kill(signal));
  container.child.stdout?.pipe(process.stdout);
  container.child.stderr?.pipe(process.stderr);
  const code = await container.ended();
  store.removeContainers();
  return code ?? 1;
}

function runWith(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: args.slice(0, imageAt(args) + 1),
    allowPositionals: true,
    options: {
      rm: { type: "boolean" },
      detach: { type: "boolean", default: false },
      "read-only": { type: "boolean", default: false },
      name: { type: "string", default: `run-${process.pid}` },
      publish: { type: "string" },
      volume: { type: "string", default: `anonymous-${process.pid}:/data` },
      tmpfs: { type: "string" },
      user: { type: "string" },
      env: { type: "string", multiple: true, default: [] },
    },
  });
  const env = Object.fromEntries(values.env.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  const { name, detach, user } = values;
  const volume = values.volume.split(":")[0] ?? "";
  const command = args.slice(imageAt(args) + 1);
  return run({ name, detach, image: positionals[0] ?? "", command, env, volume, user, readOnly: values["read-only"] });
}

const SWITCHES = new Set(["--rm", "--detach", "--read-only"]);

/** The place of the image's name: the first word that is neither an option nor its value. */
function imageAt(args: readonly string[]): number {
  let at = 0;
  while (args[at]?.startsWith("--")) at += SWITCHES.has(args[at] ?? "") || args[at]?.includes("=") ? 1 : 2;
  return at;
}

function exec([name = "", ...words]: readonly string[]): number {
  const { pid, root, config, env } = readRunning(name);
  const inside = [
    "chroot",
    `--userspec=${config.User}`,
    root,
    "/usr/bin/env",
    "-i",
    "-C",
    config.WorkingDir,
    ...env,
    ...words,
  ];
  return spawnSync("nsenter", ["--mount", "--target", String(pid), ...inside], { stdio: "inherit" }).status ?? 1;
}

async function stop(name: string): Promise<number> {
  const { pid } = readRunning(name);
  const isRunning = () => existsSync(`/proc/${pid}/root`);
  if (isRunning()) process.kill(pid, "SIGTERM");
  while (isRunning()) await sleep(50);
  rmSync(fileOf(name, "json"));
  return 0;
}

interface Service {
  readonly image: string;
  readonly environment?: Record<string, string>;
  readonly volumes?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
}

/** Parses compose.yaml with Debian's docker-compose. */
function services(): Record<string, Service> {
  const text = execFileSync("docker-compose", ["--file", "compose.yaml", "config"], { encoding: "utf8" });
  return parse(text).services;
}

async function compose([verb, ...args]: readonly string[]): Promise<number> {
  if (verb === "logs") return logs(args[0] ?? "");
  for (const [name, service] of Object.entries(services())) {
    if (verb === "down") await stop(name);
    else {
      store.tag(built, imageOf(service.image));
      const volume = service.volumes?.[0]?.split(":")[0] ?? "";
      const env = service.environment ?? {};
      const common = { name, detach: true, image: service.image, command: [], volume, env };
      await run({ ...common, user: service.user, readOnly: service.read_only ?? false });
    }
  }
  return 0;
}

function logs(name: string): number {
  process.stdout.write(readFileSync(fileOf(name, "log"), "utf8"));
  return 0;
}

async function docker([verb, ...args]: string[]): Promise<number> {
  if (verb === "build") {
    store.tag(built, imageOf(args[args.indexOf("--tag") + 1] ?? ""));
    return 0;
  }
  if (verb === "run") return runWith(args);
  if (verb === "exec") return exec(args);
  if (verb === "logs") return logs(args[0] ?? "");
  if (verb === "stop") return stop(args[0] ?? "");
  if (verb === "compose") return compose(args);
  throw new Error(`The stand-in for docker knows no ${verb}.`);
}

mkdirSync(state, { recursive: true });
process.exitCode = await docker(process.argv.slice(2));
