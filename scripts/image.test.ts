/** Builds the container image without a registry of images, and lives with it: start, restart, update, another user. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { portOf } from "@svc/server/http/port-of";
import { parse } from "yaml";
import { findProgram, requirePeer } from "../packages/server/test/support/peers/peer.ts";
import { until } from "../packages/server/test/support/until.ts";
import { Visitor } from "../packages/server/test/support/visitor.ts";
import { Container } from "./image/container.ts";
import { type ImageConfig, ImageStore } from "./image/image-store.ts";
import { shellBlocks } from "./image/shell-blocks.ts";

const root = resolve(import.meta.dirname, "..");
const compose = requirePeer("docker-compose", () => (findProgram("docker-compose") ? true : "docker-compose"));
const engine = requirePeer("buildah", () => {
  if (process.getuid?.() !== 0) return "the right to be root";
  return ["buildah", "debootstrap", "unshare", "nsenter"].find((name) => !findProgram(name)) ?? true;
});

const PASSWORD = "seven unrelated words";
const [EARLIER, LATER] = ["localhost/svc-test-earlier", "localhost/svc-test-later"];
const megabytes = (folder: string): number =>
  Number(execFileSync("du", ["-sm", folder], { encoding: "utf8" }).split("\t")[0]);

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  await new Promise((closed) => server.close(closed));
  return String(port);
}

/** Creates the first account through the printed link, as a person does. */
async function signUp(link: string): Promise<Visitor> {
  const visitor = new Visitor(new URL(link).origin);
  const { pathname } = new URL(link);
  const fields = { name: "Ada", email: "ada@example.com", password: PASSWORD };
  const reply = await visitor.submit(pathname, pathname, fields);
  assert.equal(reply.status, 303, await reply.text());
  return visitor;
}

async function signIn(url: string): Promise<Visitor> {
  const visitor = new Visitor(url);
  const reply = await visitor.submit("/sign-in", "/sign-in", { email: "ada@example.com", password: PASSWORD });
  assert.equal(reply.status, 303, await reply.text());
  return visitor;
}

const LINK = /(http:\/\/\S+\/setup\/\S+)/;
const ADDRESS = /"address":"http:\/\/[^"]*:(\d+)"/;

describe("compose files", compose, () => {
  const read = (file: string) =>
    parse(execFileSync("docker-compose", ["--file", file, "config"], { cwd: root, encoding: "utf8" })).services;

  test("SHIP1 compose.yaml is one service that writes to its volume alone", () => {
    const { svc, ...others } = read("compose.yaml");
    assert.deepEqual(others, {});
    assert.deepEqual([svc.read_only, svc.cap_drop, svc.volumes.length], [true, ["ALL"], 1]);
  });

  test("SHIP1 compose.postgres.yaml has two svc on one database and one object store, behind a proxy", () => {
    const services = read("compose.postgres.yaml");
    assert.deepEqual(Object.keys(services).sort(), ["bucket", "postgres", "proxy", "s3", "svc1", "svc2"]);
    assert.deepEqual(services.svc1, services.svc2);
    for (const setting of ["SVC_DATABASE_URL_FILE", "SVC_BLOB_URL_FILE", "SVC_SECRET_FILE", "SVC_BASE_URL"])
      assert.ok(setting in services.svc1.environment, setting);
    const published = Object.entries<{ ports?: unknown[] }>(services).filter(([, { ports }]) => ports);
    assert.deepEqual(
      published.map(([name]) => name),
      ["proxy"],
    );
  });
});

describe("the image", engine, () => {
  const store = new ImageStore();
  const work = mkdtempSync("/tmp/svc-image-");
  const volume = join(work, "data");
  const started: Container[] = [];
  let config: ImageConfig;

  const start = async (image: string, options: Partial<ConstructorParameters<typeof Container>[0]> = {}) => {
    const env = { SVC_PORT: "0", SVC_HOST: "127.0.0.1", ...options.env };
    const container = new Container({ root: store.mount(image), config, volume, ...options, env });
    started.push(container);
    return container;
  };
  const urlOf = async (container: Container) => `http://127.0.0.1:${(await container.says(ADDRESS))[1]}`;

  before(() => {
    store.prepareBases();
    store.build(root, LATER, "1.0.0");
    // There is no earlier image yet: this one with another label stands in for it.
    store.relabel(LATER, EARLIER, "0.9.0");
    config = store.configOf(LATER);
    mkdirSync(volume);
    chownSync(volume, 10001, 10001);
  });
  after(async () => {
    for (const container of started) if (container.child.exitCode === null) await container.stop();
    store.removeContainers();
    rmSync(work, { recursive: true });
  });

  test("SHIP2 it is small, without compilers and npm, and its labels, health check and user are set", () => {
    const files = store.mount(LATER);
    assert.ok(megabytes(files) - megabytes(store.baseRoot()) <= 250);
    const unwanted = globSync(
      "{usr/bin/{gcc,cc,make,python3},usr/local/bin/{npm,npx},opt/svc/**/{esbuild,typescript}}",
      { cwd: files },
    );
    assert.deepEqual(unwanted, []);
    assert.equal(config.User, "10001:10001");
    assert.deepEqual(Object.keys(config.Volumes), ["/data"]);
    assert.equal(config.Labels["org.opencontainers.image.version"], "1.0.0");
    assert.equal(config.Labels["org.opencontainers.image.licenses"], "MIT");
    assert.equal(config.Healthcheck?.Test[0], "CMD");
  });

  test("SHIP3 a page outlives a restart, an update, another user and a read-only root", async () => {
    const first = await start(EARLIER);
    const visitor = await signUp(defined((await first.says(LINK))[1]));
    const made = await visitor.submit("/knowledge-bases", "/knowledge-bases", { name: "Handbook" });
    assert.equal(made.status, 303);
    const place = defined(made.headers.get("location"));
    assert.equal(await first.stop(), 0, first.output);

    const again = await start(EARLIER);
    assert.match(await (await (await signIn(await urlOf(again))).fetch(place)).text(), /Handbook/);
    assert.equal(await again.stop(), 0, again.output);

    const later = await start(LATER, { readOnly: true });
    const url = await urlOf(later);
    assert.match(await (await (await signIn(url)).fetch(place)).text(), /Handbook/);
    const env = { SVC_PORT: new URL(url).port };
    const health = new Container({
      ...{ root: store.mount(LATER), config: { ...config, Entrypoint: [] }, volume, env },
      command: defined(config.Healthcheck).Test.slice(1),
    });
    assert.equal(await health.ended(), 0, health.output);
    assert.equal(await later.stop(), 0, later.output);

    execFileSync("chown", ["-R", "4711:4711", volume]);
    const other = await start(LATER, { readOnly: true, user: "4711:4711" });
    assert.match(await (await (await signIn(await urlOf(other))).fetch(place)).text(), /Handbook/);
    assert.equal(await other.stop(), 0, other.output);
  });

  test("SHIP4 a volume that it may not write to ends the start with one line that says what to do", async () => {
    const foreign = join(work, "foreign");
    mkdirSync(foreign);
    const container = await start(LATER, { volume: foreign });
    assert.equal(await container.ended(), 1);
    assert.match(
      container.output,
      /^svc: Setting SVC_DATA_DIR is "\/data", .*the user with the id 10001 the right to.*$/m,
    );
  });

  test("SHIP5 the container commands of the README and docs/operating.md work as written", async () => {
    const bin = join(work, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "docker"),
      `#!/bin/sh\nexec ${process.execPath} ${join(root, "scripts/image/docker.ts")} "$@"\n`,
    );
    chmodSync(join(bin, "docker"), 0o755);
    const port = await freePort();
    const terminal = (script: string) => {
      const env = {
        ...process.env,
        PATH: `${bin}:${process.env.PATH}`,
        SVC_TEST_DOCKER: join(work, "docker"),
        SVC_TEST_IMAGE: LATER,
        SVC_TEST_PORT: port,
      };
      const child = spawn("bash", ["-e", "-c", script], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      return { child, closed: once(child, "close"), output: () => output };
    };
    const ready = () =>
      until(
        "the server is ready",
        async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true,
      );
    const done = async (script: string) => {
      const run = terminal(script);
      const [code] = await run.closed;
      assert.equal(code, 0, `${script}\n${run.output()}`);
      return run.output();
    };
    const blocks = [...shellBlocks(join(root, "README.md")), ...shellBlocks(join(root, "docs/operating.md"))].filter(
      (block) => block.startsWith("docker "),
    );
    assert.equal(blocks.length, 3);
    const [demo = "", composed = "", operated = ""] = blocks;

    const [build = "", run = ""] = demo.trim().split("\n");
    await done(build);
    const shown = terminal(`exec ${run}`);
    while (!shown.output().includes("Ctrl-C ends the server")) await once(shown.child.stdout, "data");
    assert.match(
      await (await fetch(defined(/http:\/\/\S+\/s\/\S+/.exec(shown.output()))[0])).text(),
      /Good to have you here/,
    );
    shown.child.kill("SIGINT");
    assert.deepEqual(await shown.closed, [0, null], shown.output());

    const [up = "", look = ""] = composed.trim().split("\n");
    await done(up);
    await ready();
    assert.match(await done(look), LINK);
    await done("docker compose down");

    const [image = "", detached = "", logs = "", doctor = ""] = operated.trim().split("\n");
    await done(image);
    await done(detached);
    await ready();
    assert.match(await done(logs), LINK);
    assert.match(await done(doctor), /ok +database/);
    await done("docker stop svc");
    assert.match(readFileSync(join(work, "docker/svc.log"), "utf8"), /"msg":"stopping"/);
  });
});
