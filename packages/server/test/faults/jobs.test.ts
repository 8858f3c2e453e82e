import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { Database } from "@svc/server/db/database";
import { Client, type Loose } from "../support/client.ts";
import { activate, makeDocument, startImport, zipOf } from "../support/fixtures.ts";
import { jobEnded } from "../support/jobs.ts";
import { startServer, svc } from "../support/process.ts";
import { providerServer, type Reply, type SeenRequest } from "../support/provider-server.ts";
import { until } from "../support/until.ts";
import { databases, makeStore } from "../support/world.ts";

/** With the translation and the import as many as a process works on at once. */
const SUMMARIES = 2;
const IMPORTED = 300;

/** A model and a translator, which work only once they are told to. */
const provider = (isWorking: () => boolean) => {
  const languages = [
    { code: "en", targets: ["es"] },
    { code: "es", targets: ["en"] },
  ];
  const answer = ({ path, body }: SeenRequest): Reply => {
    if (path.endsWith("/languages")) return { json: languages };
    if (!isWorking()) return () => undefined;
    if (!path.endsWith("/translate"))
      return { json: { choices: [{ message: { content: "Done." }, finish_reason: "stop" }] } };
    return { json: { translatedText: JSON.parse(body).q.map((text: string) => `es: ${text}`) } };
  };
  return providerServer(answer);
};

for (const kind of databases)
  describe(`jobs and kill -9 [${kind}]`, () => {
    test("IMP4 a killed server's summaries, translations and imports finish after the restart, each exactly once", async () => {
      let isWorking = false;
      await using providers = await provider(() => isWorking);
      const store = await makeStore(kind);
      const settings = {
        ...store.settings,
        SVC_MODEL_URL: providers.url,
        SVC_MODEL_NAME: "tiny",
        SVC_TRANSLATION_PROVIDER: "libretranslate",
        SVC_TRANSLATION_URL: providers.url,
      };
      const first = await startServer(settings);
      const client = new Client(first.url, await makeToken(settings));

      const summaries: Loose[] = [];
      for (let i = 0; i < SUMMARIES; i++) {
        const { id } = await makeDocument(client);
        const { data } = await client.post(`/documents/${id}/summary/rebuild`, { generator: "model" });
        summaries.push({ id: data.id, document: id });
      }
      const set = await activate(client, { document: { text: "One.\n\nTwo.\n" } });
      const source = `/documents/${set.source_document_id}`;
      const translation = (await client.post(`${source}/translation-jobs`, { target_locale: "es" })).data;
      const asked = () => providers.seen.filter(({ path }) => !path.endsWith("/languages")).length;
      await until("model and translator are asked", () => asked() === SUMMARIES + 1);
      const files = Object.fromEntries(
        Array.from({ length: IMPORTED }, (_, i) => [`d${i}.md`, `# Title ${i}\n\nText.\n`]),
      );
      const imported = await startImport(client, await zipOf(files), "Brought");
      await until("some of it is there", async () => {
        const bases: Loose[] = (await client.get("/knowledge-bases")).data;
        return bases.some(({ name, document_count }) => name.startsWith("Brought") && document_count > 0);
      });
      await first.stop("SIGKILL");
      isWorking = true;

      const second = await startServer(settings);
      const again = new Client(second.url, client.token);
      for (const job of summaries) {
        const state = await jobEnded(again, "summary-jobs", job.id);
        assert.equal(state.status, "succeeded");
        const summary = (await again.get(`/documents/${job.document}/summary`)).data;
        assert.deepEqual([summary.text, summary.summary_version], ["Done.", state.summary_version]);
      }
      const translated = await jobEnded(again, "translation-jobs", translation.id);
      assert.deepEqual(
        translated.units.map(({ candidate }: Loose) => candidate.text),
        ["es: One.", "es: Two."],
      );
      const { status, knowledge_base_id } = await jobEnded(again, "import-jobs", imported.id);
      assert.equal(status, "succeeded");
      const bases: Loose[] = (await again.get("/knowledge-bases")).data;
      const brought = bases.filter(({ name }) => name.startsWith("Brought"));
      assert.deepEqual(
        brought.map(({ id, name, document_count }) => ({ id, name, document_count })),
        [{ id: knowledge_base_id, name: "Brought", document_count: IMPORTED }],
      );
      await second.stop();
      await store.remove();
    });
  });

for (const kind of databases)
  describe(`an import that its process does not survive [${kind}]`, () => {
    test("a job during which the server was killed twice fails with that reason, and its partial work is removed", async () => {
      const store = await makeStore(kind);
      let server = await startServer(store.settings);
      const client = () => new Client(server.url, token);
      const token = await makeToken(store.settings);
      const files = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`d${i}.md`, `# Title ${i}\n\nText.\n`]));
      const { id } = await startImport(client(), await zipOf(files), "Brought");
      const database = await connect(readConfig(store.settings), { warn: () => undefined });
      for (let kills = 0; kills < 2; kills++) {
        await until("this process is at work on it", () => isAttempt(database, id, kills + 1));
        await server.stop("SIGKILL");
        server = await startServer(store.settings);
      }
      const job = await jobEnded(client(), "import-jobs", id);
      assert.deepEqual([job.status, job.error.code], ["failed", "process_ended"]);
      await until("nothing is left", async () => (await client().get("/knowledge-bases")).data.length === 0);
      await database.close();
      await server.stop();
      await store.remove();
    });
  });

/**
 * Whether the attempt of this number has brought some documents. The service does not tell a number, and what it tells
 * of a job is what the last attempt said until the next one begins: a server that is killed before that was not at work.
 */
async function isAttempt({ read }: Database, id: string, attempt: number): Promise<boolean> {
  const found = read.selectFrom("jobs").select(["status", "attempts", "progress"]).where("id", "=", id);
  const { status, attempts, progress } = await found.executeTakeFirstOrThrow();
  assert.ok(["pending", "running"].includes(status), `it has ended before it could be killed: ${status}`);
  return attempts === attempt && JSON.parse(progress).documents_done > 0;
}

async function makeToken(settings: Record<string, string>): Promise<string> {
  const email = "ada@example.com";
  await svc(settings, "users", "create", "--email", email, "--name", "Ada", "--password", "long enough");
  return (await svc(settings, "tokens", "create", "--email", email, "--access", "read_write")).token;
}
