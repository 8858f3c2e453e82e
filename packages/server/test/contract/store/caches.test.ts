import assert from "node:assert/strict";
import { after, test } from "node:test";
import { processBudget } from "@svc/server/cache/budget";
import { assertStatus } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const METRICS = ["bytes", "entries", "hits_total", "misses_total", "evictions_total"];

onEachDatabase("caches", (world) => {
  const size = processBudget.bytes;
  after(() => processBudget.resize(size));

  test("the metrics list every cache by name, and the budget", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    for (let i = 0; i < 2; i++) {
      assertStatus(await client.get(`/documents/${id}/content?format=markdown`), 200);
      assertStatus(await client.get("/search/v2?q=anything"), 200);
    }
    const text = await (await fetch(`${world.url}/metrics`)).text();
    for (const cache of [
      "texts",
      "bodies",
      "segments",
      "callers",
      "rows",
      "live_states",
      "search_states",
      "search_answers",
      "search_terms",
    ])
      for (const metric of METRICS)
        assert.match(text, new RegExp(`^svc_cache_${metric}\\{.*cache="${cache}"\\} \\d+$`, "m"));
    assert.match(text, /^svc_cache_hits_total\{.*cache="block_json"\} \d+$/m);
    assert.match(text, /^svc_cache_budget_bytes(\{.*\})? [1-9]\d+$/m);
  });

  test("responses are the same with every cache empty, full, or disabled", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client, { title: "Cached and not" });
    const paths = [
      "/me",
      `/documents/${id}`,
      `/documents/${id}/content?format=markdown`,
      "/search/v2?q=cached&limit=5",
    ];
    const read = async () => {
      const replies = await Promise.all(paths.map((path) => client.get(path)));
      return replies.map((reply) => assertStatus(reply, 200).body);
    };
    const withoutIds = (bodies: unknown[]) => JSON.stringify(bodies).replaceAll(/"request_id":"[^"]*"/g, "");
    const first = withoutIds(await read());
    assert.equal(withoutIds(await read()), first);
    processBudget.resize(0);
    assert.equal(processBudget.used, 0);
    assert.equal(withoutIds(await read()), first);
    assert.equal(processBudget.used, 0);
    processBudget.resize(size);
    assert.equal(withoutIds(await read()), first);
  });
});
