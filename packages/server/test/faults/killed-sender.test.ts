import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { Client, type Loose } from "../support/client.ts";
import { HandProgram, personWithBrowser } from "../support/consent.ts";
import { makeDocument, markdown } from "../support/fixtures.ts";
import { MailServer } from "../support/mail-server.ts";
import { SECOND_SERVER, startServer } from "../support/process.ts";
import { until } from "../support/until.ts";
import { databases, makeStore, onEachDatabase } from "../support/world.ts";

const KILLS = 1;
const COMMENTS = 5;

for (const kind of databases)
  test(`after a process is killed while mailing every mail arrives, and duplicates share a message id [${kind}]`, async () => {
    const store = await makeStore(kind, { hasSchema: true });
    const mails = new MailServer();
    await mails.listen();
    const settings = { ...store.settings, SVC_SMTP_URL: mails.url, SVC_MAIL_FROM: "svc@example.org" };
    const database = await connect(readConfig(settings), { warn: () => undefined });
    const [writer, critic] = await database.transaction(async (tx) => {
      const names = { name: "Ada", passwordHash: "unused" };
      const ada = await createUser(tx, { ...names, email: "ada@example.com" });
      const role = { workspace: ada.workspaceId, role: "editor" } as const;
      const eve = await createUser(tx, { ...names, ...role, email: "eve@example.com" });
      const tokens = [];
      for (const { userId, workspaceId } of [ada, eve])
        tokens.push((await createToken(tx, { userId, workspaceId, name: "t", access: "read_write" })).token);
      return tokens;
    });
    await database.close();

    let server = await startServer(settings, SECOND_SERVER);
    const { id } = await makeDocument(new Client(server.url, writer));
    const texts: string[] = [];
    const comment = async (text: string) => {
      const body = { body: markdown(text) };
      const reply = await new Client(server.url, critic).post(`/documents/${id}/comments`, body, { key: text });
      assert.equal(reply.status, 201, reply.text);
      texts.push(text);
    };
    for (let round = 0; round <= KILLS; round++) {
      for (let n = 0; n < COMMENTS; n++) await comment(`remark-${round}-${n}-end`);
      if (round === KILLS) break;
      // While some of them have gone out, and others have not.
      await until("one is on its way", () => mails.mails.length >= 1 + round * COMMENTS);
      await server.stop("SIGKILL");
      server = await startServer(settings, SECOND_SERVER);
    }
    const namesOf = (text: string) =>
      mails.sentTo("ada@example.com").flatMap((mail) => (mail.text?.includes(text) ? [mail.messageId] : []));
    await until("each has come", () => texts.every((text) => namesOf(text).length > 0));
    for (const text of texts) assert.equal(new Set(namesOf(text)).size, 1, `${text} under several names`);
    await server.stop();
    await mails.close();
    await store.remove();
  });

onEachDatabase("a program whose server is killed while it renews its access", (world) => {
  test("after a kill during a token renewal the acknowledged token works, and the one it replaced does not", async () => {
    const ada = await personWithBrowser(world);
    const program = new HandProgram(world.url);
    assert.equal((await program.register()).status, 201);
    const works = async (token: string) => (await new Client(world.url, token).get("/me")).status === 200;
    let held: Loose = (await program.connect(ada.browser)).body;
    for (let kill = 0; kill < KILLS; kill++) {
      const other = await startServer(world.settings, SECOND_SERVER);
      const renewing = new HandProgram(other.url);
      renewing.clientId = program.clientId;
      const renew = async () => {
        const reply = await renewing.refresh(held.refresh_token);
        assert.equal(reply.status, 200, JSON.stringify(reply.body));
        const before = held;
        held = reply.body;
        assert.deepEqual([await works(before.access_token), await works(held.access_token)], [false, true]);
      };
      await renew();
      const open = renewing.refresh(held.refresh_token).catch(() => undefined);
      await other.stop("SIGKILL");
      const answer: Loose = (await open)?.body;
      const before = held;
      if (answer?.access_token) held = answer;
      else {
        // Nobody knows whether it happened: sent again it works, or it ends the connection.
        const again = await program.refresh(held.refresh_token);
        held = again.status === 200 ? again.body : (await program.connect(ada.browser)).body;
      }
      assert.deepEqual([await works(before.access_token), await works(held.access_token)], [false, true]);
    }
  });
});
