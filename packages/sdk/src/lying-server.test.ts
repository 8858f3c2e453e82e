import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClientOptions, createClient } from "./client.ts";
import { downloadAttachment } from "./download.ts";
import { MessageReader } from "./sse.ts";

const SERVER = "http://svc.test";

/** A stream of blanks that nobody ends, and how much of it was taken. */
function endless(begin: string) {
  const taken = { bytes: 0 };
  const chunk = new TextEncoder().encode(begin + " ".repeat(100_000));
  const stream = new ReadableStream<Uint8Array>({
    pull: (out) => {
      taken.bytes += chunk.byteLength;
      out.enqueue(chunk);
    },
  });
  return { stream, taken };
}

const clientOf = (answer: (init: RequestInit | undefined) => Response, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: SERVER, fetch: async (_, init) => answer(init), retry: { attempts: 1 }, ...options });

const refusal = (message: RegExp) => ({ name: "ConnectionError", code: "not_the_api", message });

test("SDK16 an answer that does not end is given up, in an error too, and the server is named", async () => {
  for (const status of [200, 400]) {
    const { stream, taken } = endless('{"data":');
    const headers = { "content-type": "application/json" };
    const client = clientOf(() => new Response(stream, { status, headers }), { maxAnswerBytes: 1_000_000 });
    await assert.rejects(client.get("/me"), refusal(/^http:\/\/svc\.test sent more than the 1000000 bytes/));
    assert.ok(taken.bytes < 2_000_000, `${taken.bytes} bytes`);
  }
});

test("SDK16 a download ends where its size says", async () => {
  const { stream, taken } = endless("");
  const { stream: file } = await downloadAttachment(
    clientOf(() => new Response(stream)),
    "att_1",
    { maxBytes: 250_000 },
  );
  await assert.rejects(new Response(file).arrayBuffer(), refusal(/svc\.test sent more than the 250000 bytes/));
  assert.ok(taken.bytes < 1_000_000, `${taken.bytes} bytes`);
});

test("SDK16 a message of an event stream that does not end is given up", () => {
  const messages = new MessageReader();
  const line = `data: ${"x".repeat(100_000)}`;
  assert.equal(messages.take(`${line}\n\n`.repeat(20)).length, 20);
  assert.throws(
    () => {
      for (let i = 0; i < 20; i++) messages.take(`${line}\n`);
    },
    refusal(/more than 1000000 characters/),
  );
  const unbroken = new MessageReader();
  assert.throws(
    () => {
      for (let i = 0; i < 20; i++) unbroken.take(line);
    },
    refusal(/more than 1000000 characters/),
  );
});

test("SDK17 a redirect is not followed, and the refusal says where it leads", async () => {
  const asked: unknown[] = [];
  const client = clientOf((init) => {
    asked.push(init?.redirect);
    return new Response(null, { status: 307, headers: { location: "https://else.test/\u001bapi" } });
  });
  await assert.rejects(client.get("/me"), refusal(/^http:\/\/svc\.test redirects to https:\/\/else\.test\/%1Bapi,/));
  assert.deepEqual(asked, ["manual"]);
});
