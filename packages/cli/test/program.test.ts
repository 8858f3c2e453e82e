import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { portOf } from "@svc/server/http/port-of";
import { runProgram } from "../../server/test/support/process.ts";
import { providerServer } from "../../server/test/support/provider-server.ts";
import { profileFor } from "../src/credentials.ts";
import { browserCommand } from "../src/open-browser.ts";
import { harmless, quoted, shownSize } from "../src/output.ts";
import { findSession, serverUrl } from "../src/session.ts";
import { shelf, Terminal, withTerminal } from "./support.ts";

const run = promisify(execFile);
const bin = resolve(import.meta.dirname, "../bin/svc.js");

test("CMD25 svc starts on this Node, and on an old one with the Node that npm ci brought", async () => {
  const { stdout: direct } = await run(process.execPath, [bin, "--version"]);
  const old = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.0.0"}})`;
  const { stdout: through } = await run(process.execPath, ["--import", old, bin, "--version"]);
  assert.match(direct, /^\d+\.\d+\.\d+\n$/);
  assert.equal(through, direct);
  const wrong = await run(process.execPath, ["--import", old, bin, "nonsense"]).catch((error) => error);
  assert.equal(wrong.code, 2);
});

test("CMD25 svc starts also where its compiled code cannot be kept", async () => {
  for (const XDG_CACHE_HOME of ["/proc/none", "/dev/null"]) {
    const { stdout } = await run(process.execPath, [bin, "--version"], { env: { XDG_CACHE_HOME }, timeout: 60_000 });
    assert.match(stdout, /^\d/);
  }
});

test("CMD25 a command that calls a server reads nothing of the server's code", async () => {
  const terminal = new Terminal();
  const guard = terminal.file(
    "guard.mjs",
    `import { registerHooks } from "node:module";
     registerHooks({ load(url, context, next) {
       if (url.includes("/packages/server/")) throw new Error("the server is loaded: " + url);
       return next(url, context);
     } });`,
  );
  // From the sources: a bundle has other files.
  const guarded = (...args: string[]) => runProgram(bin, args, { ...terminal.env, NODE_OPTIONS: `--import=${guard}` });
  assert.match((await guarded("cat", "x")).stderr, /^svc: You are not signed in/);
  assert.match((await guarded("users", "list")).stderr, /the server is loaded/);
  terminal.close();
});

test("CMD26 what a document holds cannot act on the terminal", () => {
  assert.equal(harmless("a\x1b]0;title\x07b\r\n\tc\x9b2J"), "a\\x1b]0;title\\x07b\n\tc\\x9b2J");
  assert.equal(harmless("\x1b[1mbold\x1b[22m"), "\x1b[1mbold\x1b[22m");
});

test("CMD3 the address of a server is one, however it is written", () => {
  for (const text of ["http://a:1", "http://a:1/", "a:1", "http://a:1/api/v1/", "HTTP://A:1/api"])
    assert.equal(serverUrl(text), "http://a:1");
  assert.equal(serverUrl("https://a/svc/"), "https://a/svc");
  for (const text of ["ftp://a", "http://u:p@a", "", "http://"])
    assert.throws(() => serverUrl(text), /not the address/);
});

test("CMD3 a token from the environment goes to the server of the environment, the current profile, or this machine", () => {
  const profile = {
    url: "https://kept",
    token: "svc_tok_k",
    token_id: "",
    email: "",
    workspace: "",
    access: "",
    expires_at: null,
  };
  const kept = { current: "a", profiles: { a: profile } };
  const url = (env: Record<string, string>, credentials = kept) => findSession({}, env, credentials).url;
  assert.equal(url({ SVC_TOKEN: "t", SVC_URL: "https://given" }), "https://given");
  assert.equal(url({ SVC_TOKEN: "t" }), "https://kept");
  assert.equal(url({ SVC_TOKEN: "t" }, { current: null, profiles: {} } as never), "http://127.0.0.1:3000");
  assert.throws(() => findSession({ profile: "__proto__" }, {}, kept), /no profile/);
});

test("CMD4 signing in to another server keeps the first one's token", () => {
  const at = (url: string) => ({
    url,
    token: "",
    token_id: "",
    email: "",
    workspace: "",
    access: "",
    expires_at: null,
  });
  const kept = { current: "work", profiles: { default: at("http://a"), work: at("http://b"), "c:1": at("http://b") } };
  assert.equal(profileFor("http://a", { current: null, profiles: {} }), "default");
  assert.equal(profileFor("http://a", kept), "default");
  assert.equal(profileFor("http://b", kept), "work");
  assert.equal(profileFor("http://new:1", kept), "new:1");
});

test("CMD1 a page is opened where there is something to show it on", () => {
  assert.deepEqual(browserCommand({ BROWSER: "lynx" }, "linux"), ["lynx"]);
  assert.deepEqual(browserCommand({ DISPLAY: ":0" }, "linux"), ["xdg-open"]);
  assert.deepEqual(browserCommand({}, "darwin"), ["open"]);
  assert.equal(browserCommand({}, "linux"), undefined);
});

test("CMD6 a command that is shown can be pasted", async () => {
  for (const word of ["it's here", "$(x)", "a b", "plain/path", ""]) {
    const { stdout } = await run("sh", ["-c", `printf %s ${quoted(word)}`]);
    assert.equal(stdout, word);
  }
  assert.deepEqual([0, 999, 1000, 1_234_567].map(shownSize), ["0 B", "999 B", "1.0 KB", "1.2 MB"]);
});

test("CMD6 what cannot be written is told, and an option of no command is not taken for the program's", async () => {
  const full = await run("sh", ["-c", `"$0" "$1" --help > /dev/full`, process.execPath, bin]).catch((error) => error);
  assert.equal(full.code, 1);
  assert.match(full.stderr, /^svc: The result could not be written whole: ENOSPC/);
  const asked = await run(process.execPath, [bin, "cat", "Some/Page", "--version", "3"]).catch((error) => error);
  assert.deepEqual([asked.code, asked.stdout], [2, ""]);
});

test("CMD17 a download that is interrupted leaves nothing behind", async () => {
  const metadata = JSON.stringify({ data: { file_name: "film.mp4", size: 1000 }, request_id: "req_1" });
  const server = createServer(({ url = "" }, response) => {
    if (url.endsWith("/metadata")) response.setHeader("content-type", "application/json").end(metadata);
    else response.setHeader("content-length", "1000").write("only the beginning");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  const terminal = new Terminal({ SVC_URL: `http://127.0.0.1:${port}`, SVC_TOKEN: "svc_tok_x" });
  const { child, finished } = terminal.start(["download", `att_${"0".repeat(26)}`, "got.mp4"]);
  const files = () => readdirSync(terminal.home).filter((name) => name.startsWith("got.mp4"));
  for (const end = Date.now() + 120_000; files().length === 0; await new Promise((next) => setTimeout(next, 20)))
    assert.ok(Date.now() < end, "nothing is downloaded");
  child.kill("SIGINT");
  assert.equal((await finished).code, 130);
  assert.deepEqual(files(), []);
  server.closeAllConnections();
  server.close();
});

const provider = await providerServer(({ path, body }) =>
  path.endsWith("/languages")
    ? { json: [{ code: "en", targets: ["es"] }] }
    : { json: { translatedText: JSON.parse(body).q.map((text: string) => `es: ${text}`) } },
);
after(() => provider[Symbol.asyncDispose]());

describe("svc translate", () => {
  const context = withTerminal({ SVC_TRANSLATION_PROVIDER: "libretranslate", SVC_TRANSLATION_URL: provider.url });
  const svc = () => context.terminal;

  test("CMD23 makes the language version, translates, and writes only when told to", async () => {
    await shelf(context.person, "Book", { Page: "Hello.\n\nBye." });
    assert.equal((await svc().json("translate", "Book/Page")).document_set, null);
    assert.deepEqual((await svc().refused(2, "translate", "Book/Page", "--to", "es")).next, [
      "svc translate Book/Page --from en --to es",
    ]);
    const first = await svc().json("translate", "Book/Page", "--from", "en", "--to", "es", "--title", "Página");
    assert.equal(first.version.title, "Página");
    assert.deepEqual(
      first.job.units.map((unit: { candidate: { text: string } }) => unit.candidate.text),
      ["es: Hello.", "es: Bye."],
    );
    assert.ok(!(await svc().text("cat", first.version.document_id)).includes("es:"));
    const { applied } = await svc().json("translate", "Book/Page", "--to", "es", "--apply");
    assert.equal(applied.applied.length, 2);
    assert.equal(await svc().text("cat", "Book/Page", "--locale", "es"), "es: Hello.\n\nes: Bye.\n");
    assert.match(await svc().text("translate", "Book/Page"), /^es +doc_\w+ +Página +draft +2 of 2/m);
    await svc().refused(1, "translate", "Book/Page", "--to", "en");
  });
});
