import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { portOf } from "@svc/server/http/port-of";
import { runProgram, type ServerProcess, SVC, startServer } from "../../server/test/support/process.ts";
import { until } from "../../server/test/support/until.ts";
import { Visitor } from "../../server/test/support/visitor.ts";

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly advice?: string;
}

const PASSWORD = "seven unrelated words";

/** A proxy that passes on no WebSockets, and whose clock is an hour behind. */
async function poorProxy(target: string): Promise<Server> {
  const proxy = createServer(async (request, response) => {
    const answer = await fetch(target + request.url);
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    response.writeHead(answer.status, { date }).end(Buffer.from(await answer.arrayBuffer()));
  });
  proxy.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return proxy;
}

describe("svc doctor and the first account from settings", () => {
  const work = mkdtempSync(join(tmpdir(), "svc-doctor-"));
  const dataDir = join(work, "data");
  const passwordFile = join(work, "password");
  const account = { SVC_ADMIN_EMAIL: "ops@example.com", SVC_ADMIN_PASSWORD_FILE: passwordFile };
  let server: ServerProcess;
  let settings: Record<string, string>;

  const doctor = async (more: Record<string, string> = {}) => {
    const { code, stdout } = await runProgram(SVC, ["doctor", "--json"], { ...settings, ...more });
    const report: { healthy: boolean; findings: Finding[] } = JSON.parse(stdout);
    assert.equal(code, report.healthy ? 0 : 1);
    return new Map(report.findings.map((finding) => [finding.check, finding]));
  };
  const fails = async (check: string, more: Record<string, string>) => {
    const finding = defined((await doctor(more)).get(check));
    assert.equal(finding.state, "error", finding.message);
    assert.ok(finding.advice, check);
  };

  before(async () => {
    writeFileSync(passwordFile, `${PASSWORD}\n`);
    server = await startServer({ SVC_DATA_DIR: dataDir, ...account });
    settings = { SVC_DATA_DIR: dataDir, SVC_PORT: new URL(server.url).port };
  });
  after(async () => {
    await server.stop();
    rmSync(work, { recursive: true });
  });

  const canSignIn = async (password: string): Promise<boolean> => {
    const fields = { email: account.SVC_ADMIN_EMAIL, password };
    return (await new Visitor(server.url).submit("/sign-in", "/sign-in", fields)).status === 303;
  };

  test("SHIP8 the settings make the first account of an empty store, once", async () => {
    await until("the account is made", () => server.stdout.includes("first account made"));
    assert.equal(await canSignIn(PASSWORD), true);
    assert.doesNotMatch(server.stdout, /\/setup\/|seven unrelated/);
    await server.stop();
    writeFileSync(passwordFile, "some other words here");
    server = await startServer({ SVC_DATA_DIR: dataDir, ...account, SVC_ADMIN_EMAIL: "else@example.com" });
    settings = { SVC_DATA_DIR: dataDir, SVC_PORT: new URL(server.url).port };
    assert.equal(await canSignIn(PASSWORD), true);
    assert.equal(await canSignIn("some other words here"), false);
  });

  test("SHIP8 half of the settings, or a password that nobody may choose, ends the start with one line", async () => {
    const short = join(work, "short");
    writeFileSync(short, "short");
    for (const [given, line] of [
      [{ SVC_ADMIN_EMAIL: "ops@example.com" }, /^svc: SVC_ADMIN_PASSWORD_FILE: is needed.*\n$/],
      [{ SVC_ADMIN_PASSWORD_FILE: passwordFile }, /^svc: SVC_ADMIN_EMAIL: is needed.*\n$/],
      [{ ...account, SVC_ADMIN_PASSWORD_FILE: short }, /^svc: SVC_ADMIN_PASSWORD: A password has .* characters.*\n$/],
      [{ ...account, SVC_ADMIN_EMAIL: "nobody" }, /^svc: SVC_ADMIN_EMAIL: .*\n$/],
    ] as const) {
      const done = await runProgram(SVC, ["serve", "--port", "0"], { SVC_DATA_DIR: join(work, "empty"), ...given });
      assert.equal(done.code, 1);
      assert.match(done.stderr, line);
    }
  });

  test("SHIP9 it finds nothing wrong with a server that runs", async () => {
    const findings = await doctor({ SVC_BASE_URL: server.url });
    for (const check of ["settings", "database", "disk space", "server", "base URL", "WebSockets", "clock"])
      assert.equal(findings.get(check)?.state, "ok", check);
    for (const check of ["object store", "mail", "identity provider"]) assert.equal(findings.get(check)?.state, "off");
    assert.equal(findings.get("backup")?.state, "warning");
  });

  test("SHIP9 each problem is found, with the next step", async () => {
    const nowhere = "127.0.0.1:9";
    await fails("settings", { SVC_LOG_LEVEL: "loud" });
    await fails("settings", { SVC_SMTP_URL: `smtp://${nowhere}` });
    await fails("mail", { SVC_SMTP_URL: `smtp://${nowhere}`, SVC_MAIL_FROM: "svc@example.com" });
    await fails("identity provider", {
      ...{ SVC_OIDC_ISSUER: `http://${nowhere}`, SVC_OIDC_CLIENT_ID: "svc", SVC_BASE_URL: server.url },
    });
    await fails("base URL", { SVC_BASE_URL: `http://${nowhere}` });
    await fails("object store", { SVC_BLOB_URL: `s3://key:secret@bucket?endpoint=http://${nowhere}` });
    await fails("database", { SVC_DATABASE_URL: `postgres://svc@${nowhere}/svc` });
    const typo = (await doctor({ SVC_PROT: "3000" })).get("settings");
    assert.deepEqual([typo?.state, typo?.message.includes("SVC_PROT")], ["warning", true]);
    assert.equal((await doctor({ SVC_PORT: "9" })).get("server")?.state, "warning");
  });

  test("SHIP9 it finds a proxy without WebSockets, and a clock that is wrong", async () => {
    const proxy = await poorProxy(server.url);
    try {
      const SVC_BASE_URL = `http://127.0.0.1:${portOf(proxy)}`;
      await fails("WebSockets", { SVC_BASE_URL });
      await fails("clock", { SVC_BASE_URL });
    } finally {
      proxy.close();
    }
  });

  test("SHIP9 it finds a backup that is old, and one that failed", async () => {
    const database = await connect(readConfig(settings), { warn: () => undefined });
    const put = (key: string, value: object) =>
      database.transaction(async (tx) => {
        await tx
          .insertInto("server_state")
          .values({ key, value: JSON.stringify(value) })
          .execute();
      });
    try {
      await put("backup_last_good", { started_at: Date.now() - 3 * 86_400_000 });
      await fails("backup", {});
      await put("backup_last_failure", { at: Date.now(), message: "The disk is full." });
      assert.match(defined((await doctor()).get("backup")).message, /The disk is full/);
    } finally {
      await database.close();
    }
  });

  test("SHIP10 a demo that cannot listen says so in one line and leaves no folder", async () => {
    const folder = mkdtempSync(join(work, "tmp-"));
    const done = await runProgram(SVC, ["demo"], { TMPDIR: folder, SVC_PORT: new URL(server.url).port });
    assert.equal(done.code, 1);
    assert.match(done.stderr, /\nsvc: Setting SVC_PORT .*Stop the program that uses this port.*\n$/);
    assert.deepEqual(readdirSync(folder), []);
  });
});
