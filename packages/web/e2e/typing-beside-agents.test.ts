import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { p } from "@svc/document/testing/builders";
import { readNodes, textsOf } from "../../server/test/support/bodies.ts";
import { assertStatus } from "../../server/test/support/client.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { clickEnd, openTwo, saved, written } from "./two-people.ts";

inBrowser("typing beside agents", (stage) => {
  test("LIVE30 an agent rewrites the paragraph that a person is typing in, from an older text: no typed word is lost", async () => {
    const open = "Our office is open from nine to five every day.";
    const typed = " Please ring the bell at the side door when you arrive late.";
    const { id, client, a, b, problems } = await openTwo(stage, open);
    const blockId = idOf(defined((await readNodes(client, id)).nodes[0]));
    await clickEnd(a, 0);
    const typing = a.keyboard.type(typed, { delay: 60 });
    for (const [after, text] of [
      ["Please ring", "The Berlin office is open from nine to five, Monday to Friday."],
      ["side door", "The Berlin office is open from nine to six, Monday to Friday."],
    ] as const) {
      await until(`${after} is in the body`, async () => (await textsOf(client, id)).join().includes(after));
      const answer = await client.patch(`/documents/${id}/blocks/${blockId}`, { node: p(text) });
      assert.ok([200, 202].includes(answer.status), `${answer.status}`);
      if (after === "Please ring") assert.equal(assertStatus(answer, 200).data.merged, true);
    }
    await typing;
    await saved(a);
    const words = typed.trim();
    await until("the body has every word", async () => (await textsOf(client, id)).join().endsWith(words));
    for (const page of [a, b])
      await until("the page shows it", async () => (await written(page)).join().endsWith(words));
    assert.match((await textsOf(client, id)).join(), /^The Berlin office is open/);
    assert.deepEqual(problems, []);
  });
});
