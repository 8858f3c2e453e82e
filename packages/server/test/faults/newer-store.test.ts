import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { sql } from "kysely";
import { MAIN, runProgram, SECOND_SERVER, startServer } from "../support/process.ts";
import { databases, makeStore } from "../support/world.ts";

describe("a store of a newer release", () => {
  for (const kind of databases)
    test(`a store of a newer release is served if that release allows it, and otherwise refused with one sentence [${kind}]`, async () => {
      const store = await makeStore(kind, { hasSchema: true });
      const settings = { ...store.settings, SVC_PORT: "0" };
      const database = await connect(readConfig(settings), { warn: () => undefined });
      const putReadableSince = (step: string) =>
        database.transaction((tx) =>
          tx.updateTable("server_state").set({ value: step }).where("key", "=", "readable_since").execute(),
        );
      await database.transaction((tx) =>
        sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '2030')`.execute(tx),
      );
      await (await startServer(settings, SECOND_SERVER)).stop();
      await putReadableSince("9999-newer");
      const refused = await runProgram(MAIN, [], settings);
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        /^svc: The store was brought up to date by a newer release \(9999-newer\).* Start the newer release, or .*\n$/,
      );
      await database.transaction((tx) => sql`delete from kysely_migration where name = '9999-newer'`.execute(tx));
      await database.close();
      await store.remove();
    });
});
