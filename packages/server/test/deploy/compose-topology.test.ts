/** Runs what compose.postgres.yaml describes with the programs of this machine: its settings, secrets and proxy. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, test } from "node:test";
import tls from "node:tls";
import { defined } from "@svc/document/defined";
import { s3Client } from "@svc/server/ports/blobs/s3-client";
import { readS3Url } from "@svc/server/ports/blobs/s3-settings";
import { parse } from "yaml";
import { Client } from "../support/client.ts";
import { makeDocument, upload } from "../support/fixtures.ts";
import { probeFiles, requirePeer } from "../support/peers/peer.ts";
import { freePorts, startPeer, untilReady } from "../support/peers/peer-process.ts";
import { requireSwift, startSwift } from "../support/peers/swift.ts";
import { type ServerProcess, startServer, svc } from "../support/process.ts";
import { until } from "../support/until.ts";
import { makeStore } from "../support/world.ts";

const root = resolve(import.meta.dirname, "../../../..");
const NAME = "localhost";
const CADDY = "/usr/bin/caddy";

interface Service {
  readonly environment: Record<string, string>;
  readonly secrets: readonly string[];
}
const compose: { services: Record<string, Service> } = parse(readFileSync(join(root, "compose.postgres.yaml"), "utf8"));
const described = defined(compose.services.svc1);

/** The environment of a described server, with the files and the name of this machine. */
const settingsIn = (secrets: string, port: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(described.environment).map(([name, value]) => [
      name,
      value
        .replace("/run/secrets", secrets)
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Compose's own way to name a variable
        .replace("${SVC_HOST_NAME:-kb.example.com}", `${NAME}:${port}`),
    ]),
  );

describe("the services of compose.postgres.yaml", requirePeer("Caddy", probeFiles([CADDY])), () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-compose-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("SHIP1 two servers, PostgreSQL, an S3 store and a proxy with TLS serve together, and one server may end", {
    ...requireSwift(),
  }, async () => {
    const [https = 0, http = 0] = await freePorts(2);
    const store = await makeStore("postgres");
    const swift = await startSwift();
    const secrets = join(folder, "secrets");
    mkdirSync(secrets);
    const keys = `${encodeURIComponent(swift.accessKeyId)}:${swift.secretAccessKey}`;
    const blobUrl = `s3://${keys}@svc/files?endpoint=${swift.endpoint}&region=${swift.region}`;
    const texts: Record<string, string> = {
      database_url: defined(store.settings.SVC_DATABASE_URL),
      blob_url: blobUrl,
      svc_secret: "0123456789abcdef0123456789abcdef0123456789abcdef",
    };
    assert.deepEqual(Object.keys(texts).sort(), [...described.secrets].sort());
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(secrets, name), `${text}\n`);

    const servers: ServerProcess[] = [];
    const settings = settingsIn(secrets, https);
    let proxy: ReturnType<typeof startPeer> | undefined;
    try {
      await s3Client(readS3Url(blobUrl))({ method: "PUT", objectKey: "" });
      for (const name of ["one", "two"])
        servers.push(await startServer({ ...settings, SVC_DATA_DIR: join(folder, name) }));
      proxy = await startProxy(folder, { https, http }, servers);

      const user = ["--email", "ada@example.com"];
      await svc(settings, "users", "create", ...user, "--name", "Ada", "--password", "seven unrelated words");
      const { token } = await svc(settings, "tokens", "create", ...user, "--access", "read_write");
      const client = new Client(`https://${NAME}:${https}`, token);
      const document = await makeDocument(client);
      const file = await upload(client, document.id, Buffer.from("kept in the S3 store"), "note.txt");

      const [first, second] = servers;
      await defined(first).stop();
      await until(
        "the other one answers everything",
        async () => (await client.get(`/documents/${document.id}`)).status === 200,
      );
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const write = { method: "PATCH", headers, body: '{"title":"Later"}' };
      const address = `https://${NAME}:${https}/api/v1/documents/${document.id}`;
      await until("writes go to the other one", async () => (await fetch(address, write)).ok);
      const loaded = await fetch(`${client.url}/api/v1/attachments/${file.id}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(await loaded.text(), "kept in the S3 store");
      const page = await fetch(`https://${NAME}:${https}/sign-in`);
      assert.equal(page.status, 200);
      await defined(second).stop();
    } finally {
      for (const server of servers) await server.stop();
      await proxy?.stop();
      await swift.stop();
      await store.remove();
    }
  });
});

/** The published Caddyfile, with the ports of this machine and a certificate of Caddy's own. */
async function startProxy(folder: string, { https, http }: { https: number; http: number }, servers: ServerProcess[]) {
  const [first, second] = servers.map(({ url }) => new URL(url).host);
  const published = readFileSync(join(root, "deploy/compose/Caddyfile"), "utf8");
  const fitted = published.replace("svc1:3000", defined(first)).replace("svc2:3000", defined(second));
  assert.ok(!fitted.includes(":3000"));
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n  admin off\n  skip_install_trust\n  https_port ${https}\n  http_port ${http}\n}\n${fitted}`);
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const env = { PATH: process.env.PATH, SVC_HOST_NAME: NAME, ...home };
  const proxy = startPeer(CADDY, ["run", "--adapter", "caddyfile", "--config", file], env);
  await untilReady("Caddy", proxy, async () => {
    const certificate = readFileSync(join(folder, "caddy/pki/authorities/local/root.crt"), "utf8");
    tls.setDefaultCACertificates([...tls.getCACertificates("default"), certificate]);
    return (await fetch(`https://${NAME}:${https}/healthz`)).ok;
  });
  return proxy;
}
