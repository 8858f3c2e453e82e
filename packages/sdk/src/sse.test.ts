import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageReader } from "./sse.ts";

const stream =
  ": position 3\n\nretry: 5000\r\n\r\nid: 4\revent: document.created\rdata: {\rdata:  }\r\rid: 5\ndata: é\nother: x\n\n";
const none = { comment: undefined, id: undefined, event: "message", data: "", retry: undefined };
const messages = [
  { ...none, comment: "position 3" },
  { ...none, retry: 5000 },
  { ...none, id: "4", event: "document.created", data: "{\n }" },
  { ...none, id: "5", data: "é" },
];

test("SDK8 a stream is cut into messages at every kind of line end", () => {
  assert.deepEqual(new MessageReader().take(stream), messages);
});

test("SDK8 the pieces in which a stream arrives make no difference", () => {
  const reader = new MessageReader();
  const read = [...stream].flatMap((character) => reader.take(character));
  assert.deepEqual(
    read.filter(({ comment, id, retry }) => comment ?? id ?? retry),
    messages,
  );
});

test("SDK8 a message that is not complete is kept back", () => {
  const reader = new MessageReader();
  assert.deepEqual(reader.take("id: 1\ndata: a"), []);
  assert.deepEqual(reader.take("b\n\n"), [{ ...none, id: "1", data: "ab" }]);
});
