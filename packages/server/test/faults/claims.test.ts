import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { purgeSome } from "@svc/server/domain/lifecycle/trash/purge";
import { makeStore } from "../support/world.ts";

test("two processes remove the parts of deleted documents side by side, without waiting for each other", async () => {
  const store = await makeStore("postgres", { hasSchema: true });
  const open = () => connect(readConfig(store.settings), { warn: () => undefined });
  const [one, other] = [await open(), await open()];
  try {
    const rows = Array.from({ length: 30 }, (_, n) => ({ workspace_id: "ws_1", document_id: `doc_${n}` }));
    await one.transaction((tx) => tx.insertInto("purges").values(rows).execute());
    const left = async () => (await one.read.selectFrom("purges").select("document_id").execute()).length;
    await one.transaction(async (tx) => {
      assert.equal(await purgeSome(tx, 20), true);
      assert.equal(await other.transaction((second) => purgeSome(second, 20)), false);
      assert.equal(await left(), 20);
    });
    assert.equal(await left(), 0);
  } finally {
    await one.close();
    await other.close();
    await store.remove();
  }
});
