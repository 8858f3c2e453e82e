import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { Client, type Loose } from "../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../support/fixtures.ts";
import { OwnPostgres } from "../support/postgres.ts";
import { type ServerProcess, startServer, svc } from "../support/process.ts";
import { until } from "../support/until.ts";
import { Visitor } from "../support/visitor.ts";
import { makeStore } from "../support/world.ts";

const PASSWORD = "seven unrelated words";
/** More than the connections that a process writes with. */
const WRITES = 30;

/** Names a synchronous standby that does not exist, or none. */
async function followBy(postgres: OwnPostgres, name: string): Promise<void> {
  await postgres.run(`alter system set synchronous_standby_names = '${name}'`);
  await postgres.run("select pg_reload_conf()");
  await until("the setting counts", async () => {
    const [row] = await postgres.run("show synchronous_standby_names");
    return row?.synchronous_standby_names === name;
  });
}

async function signIn(url: string): Promise<Visitor> {
  const visitor = new Visitor(url);
  const reply = await visitor.submit("/sign-in", "/sign-in", { email: "ada@example.com", password: PASSWORD });
  assert.equal(reply.status, 303, await reply.text());
  return visitor;
}

const isReady = async ({ url }: ServerProcess): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;

test("OPS16 with every synchronous standby gone, writes are 503 in time, reads go on, and each write has one effect", {
  timeout: 580_000,
}, async () => {
  const store = await makeStore("sqlite");
  const postgres = await OwnPostgres.start({ settings: ["synchronous_commit=remote_apply"] });
  // A renewal of the rate limit every few requests.
  const limits = { SVC_DATABASE_WAIT_MS: "2000", SVC_RATE_LIMIT: "500" };
  const settings = { ...store.settings, SVC_DATABASE_URL: postgres.url, ...limits };
  const user = ["--email", "ada@example.com"];
  await svc(settings, "users", "create", ...user, "--name", "Ada", "--password", PASSWORD);
  const { token } = await svc(settings, "tokens", "create", ...user, "--access", "read_write");
  const server = await startServer(settings);
  try {
    const client = new Client(server.url, token);
    const base = await makeKnowledgeBase(client);
    const { id } = await makeDocument(client, { knowledge_base_id: base.id, text: "Findable words.\n" });
    const visitor = await signIn(server.url);
    const reads = ["/me", "/documents", `/documents/${id}/content`, "/search/v2?q=findable", "/knowledge-bases"];
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const write = async (n: number) => {
      const body = JSON.stringify({ knowledge_base_id: base.id, title: `Page ${n}` });
      const sent = { method: "POST", headers: { ...headers, "idempotency-key": `key-${n}` }, body };
      return fetch(`${server.url}/api/v1/documents`, sent);
    };
    const numbers = Array.from({ length: WRITES }, (_, n) => n);

    await followBy(postgres, "nobody");
    const writes = Promise.all(numbers.map(write));
    const readAll = async () => {
      for (const path of reads) assert.equal((await client.get(path)).status, 200, path);
      assert.equal((await visitor.fetch(`/documents/${id}`)).status, 200);
    };
    for (let round = 0; round < 10; round++) await readAll();
    const refused = await writes;
    const codes = new Set<string>();
    for (const answer of refused) {
      assert.equal(answer.status, 503);
      assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
      const { error }: Loose = await answer.json();
      codes.add(error.code);
    }
    assert.deepEqual(
      [...codes].filter((code) => !["unknown", "unavailable"].includes(code)),
      [],
    );
    assert.ok(codes.has("unknown"));
    await until("it is not ready", async () => !(await isReady(server)));
    await readAll();

    await followBy(postgres, "");
    await until("it is ready again", () => isReady(server));
    for (const n of numbers) await until(`write ${n} is repeated`, async () => (await write(n)).status === 201);
    const { body } = await client.get(`/documents?knowledge_base_id=${base.id}&limit=100`);
    const titles = body.data
      .map(({ title }: { title: string }) => title)
      .filter((title: string) => /^Page /.test(title));
    assert.deepEqual(titles.sort(), numbers.map((n) => `Page ${n}`).sort());
    const stopped = await server.stop();
    assert.equal(stopped.code, 0, defined(stopped.stderr));
  } finally {
    await server.stop("SIGKILL");
    await postgres.stop();
    await store.remove();
  }
});

test("OPS16 a server whose commits wait for a lost standby ends cleanly", { timeout: 580_000 }, async () => {
  const store = await makeStore("sqlite");
  const postgres = await OwnPostgres.start({ settings: ["synchronous_commit=on"] });
  const settings = { ...store.settings, SVC_DATABASE_URL: postgres.url, SVC_DATABASE_WAIT_MS: "1000" };
  const server = await startServer(settings);
  try {
    await followBy(postgres, "nobody");
    await until("a commit was given up", async () => !(await isReady(server)));
    const stopped = await server.stop();
    assert.equal(stopped.code, 0, stopped.stderr);
  } catch (error) {
    throw new Error(`${server.child.exitCode} ${server.stderr} ${server.stdout.slice(-3000)}`, { cause: error });
  } finally {
    await server.stop("SIGKILL");
    await followBy(postgres, "");
    await postgres.stop();
    await store.remove();
  }
});
