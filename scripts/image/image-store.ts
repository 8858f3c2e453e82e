/** Images built by buildah in a storage of their own, on bases that debootstrap makes: no registry of images is needed. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Kept between test runs, whose TMPDIR goes with them: making the bases takes a minute. */
const CACHE = "/tmp/svc-image-base";
const SUITE = "bookworm";
const MIRROR = "http://deb.debian.org/debian";
const BASE = "localhost/svc-test-base";
const BUILD_BASE = "localhost/svc-test-build-base";

type Copy = readonly [source: string, target: string];

/** Certificates that this machine makes Node trust, so that npm reaches the registry from the build stage as from here. */
const CERTIFICATES = process.env.NODE_EXTRA_CA_CERTS;
const TRUSTED = "/etc/ssl/machine.crt";
const TRUST = CERTIFICATES ? [`NODE_EXTRA_CA_CERTS=${TRUSTED}`] : [];
const trusted = (): Copy[] => (CERTIFICATES ? [[CERTIFICATES, TRUSTED]] : []);

export interface ImageConfig {
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly User: string;
  readonly WorkingDir: string;
  readonly Volumes: Record<string, object>;
  readonly Labels: Record<string, string>;
  readonly StopSignal: string;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

export class ImageStore {
  readonly #storage = ["--root", join(CACHE, "storage"), "--runroot", join(CACHE, "run"), "--storage-driver", "vfs"];
  readonly #containers: string[] = [];

  buildah(...args: string[]): string {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1e8 } as const;
    return execFileSync("buildah", [...this.#storage, ...args], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  }

  #has(image: string): boolean {
    return this.buildah("images", "--format", "{{.Name}}").split("\n").includes(image);
  }

  /** A Debian without Node, and the same with Node 24 and npm. */
  prepareBases(): void {
    mkdirSync(CACHE, { recursive: true });
    if (!this.#has(BASE)) this.#commit("scratch", BASE, [[debianRoot(), "/"]]);
    if (!this.#has(BUILD_BASE)) this.#commit(BASE, BUILD_BASE, [[nodeRoot(), "/usr/local"], ...trusted()], TRUST);
  }

  #commit(from: string, image: string, files: readonly Copy[], env: readonly string[] = []): void {
    const container = this.buildah("from", from);
    for (const [source, target] of files) this.buildah("add", container, source, target);
    for (const setting of env) this.buildah("config", "--env", setting, container);
    this.buildah("commit", "--rm", container, image);
  }

  build(context: string, image: string, version: string): void {
    const bases = ["--build-arg", `BASE=${BASE}`, "--build-arg", `BUILD_BASE=${BUILD_BASE}`];
    const how = ["--isolation", "chroot", "--format", "docker", "--layers=false", "--pull-never"];
    this.buildah("bud", ...how, ...bases, "--build-arg", `VERSION=${version}`, "--tag", image, context);
  }

  tag(image: string, name: string): void {
    this.buildah("tag", image, name);
  }

  /** The same image with another version on its label. */
  relabel(image: string, name: string, version: string): void {
    const container = this.buildah("from", "--pull-never", image);
    this.buildah("config", "--label", `org.opencontainers.image.version=${version}`, container);
    this.buildah("commit", "--format", "docker", "--rm", container, name);
  }

  configOf(image: string): ImageConfig {
    return JSON.parse(this.buildah("inspect", "--type", "image", image)).Docker.config;
  }

  /** Returns the root folder of a new container of an image. */
  mount(image: string): string {
    const container = this.buildah("from", "--pull-never", image);
    this.#containers.push(container);
    return this.buildah("mount", container);
  }

  baseRoot(): string {
    return this.mount(BASE);
  }

  removeContainers(): void {
    for (const container of this.#containers.splice(0)) this.buildah("rm", container);
  }
}

function debianRoot(): string {
  const root = join(CACHE, "debian");
  if (existsSync(root)) return root;
  const draft = `${root}.${process.pid}.part`;
  try {
    execFileSync("debootstrap", ["--variant=minbase", SUITE, draft, MIRROR], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    rmSync(join(draft, "var/cache/apt"), { recursive: true });
    rmSync(join(draft, "var/lib/apt/lists"), { recursive: true });
    renameSync(draft, root);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return root;
}

/** The Node of this test run, and the npm that the machine has. */
function nodeRoot(): string {
  const root = join(CACHE, `node-${process.versions.node}`);
  if (existsSync(root)) return root;
  const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  mkdirSync(join(root, "bin"), { recursive: true });
  cpSync(process.execPath, join(root, "bin/node"));
  cpSync(dirname(dirname(realpathSync(npm))), join(root, "lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "bin/npm"));
  return root;
}
