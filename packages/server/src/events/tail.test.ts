import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredEvent } from "./queries.ts";
import { Tail } from "./tail.ts";

const event = (id: number): StoredEvent => ({
  id,
  type: "document.created",
  document_set_id: null,
  locale: null,
  user_id: null,
  created_at: 0,
  data: "{}",
});

test("an answer that the tail has overtaken meanwhile is no other store; an end before where it stood is", async () => {
  const events = [1, 2, 3].map(event);
  const after = async (_: string, id: number) => events.filter((one) => one.id > id);
  const tail = new Tail("w", 0, { after, newest: async () => events.length, knowledgeBasesOf: async () => new Map() });
  const asked = tail.position;
  await tail.read();
  await tail.align(2, asked);
  assert.equal(tail.position, 3);
  assert.equal(tail.recentAfter(0)?.length, 3);
  await tail.align(2, tail.position);
  assert.equal(tail.position, 2);
});
