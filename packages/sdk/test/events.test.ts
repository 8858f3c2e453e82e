import assert from "node:assert/strict";
import { test } from "node:test";
import { isApiError, type StreamEvent, streamEvents } from "@svc/sdk";
import { onStage, type Stage } from "./support/stage.ts";

const create = async (stage: Stage, knowledge_base_id: number, title: string) =>
  (await stage.client().post("/documents", { body: { title, knowledge_base_id } })).data.id;

const titleOf = (event: StreamEvent) => (event.type === "sync.required" ? event.type : (event.document?.title ?? ""));

/** The next `count` events; the stream goes on afterwards. */
async function take(events: AsyncGenerator<StreamEvent>, count: number): Promise<string[]> {
  const titles: string[] = [];
  while (titles.length < count) titles.push(titleOf((await events.next()).value));
  return titles;
}

const close = (stop: AbortController, events: AsyncGenerator<StreamEvent>) => {
  stop.abort(new Error("done"));
  return assert.rejects(events.next(), /done/);
};

onStage(
  "events",
  (stage) => {
    test("SDK8 changes come as they happen, from the moment of the call", async () => {
      const stop = new AbortController();
      const kb = await stage.knowledgeBase();
      await create(stage, kb, "before");
      const events = streamEvents(stage.client(), { signal: stop.signal });
      const first = events.next();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await create(stage, kb, "one");
      await create(stage, kb, "two");
      assert.equal(titleOf((await first).value), "one");
      assert.deepEqual(await take(events, 1), ["two"]);
      await close(stop, events);
    });

    test("SDK8 a connection that breaks, at any byte, is resumed without a gap and without repetition", async () => {
      const stop = new AbortController();
      const kb = await stage.knowledgeBase();
      const titles = Array.from({ length: 12 }, (_, n) => `event ${n}`);
      let connections = 0;
      const cutting: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        return String(input).includes("/events") ? cutAfter(response, 150 + 137 * connections++) : response;
      };
      const events = streamEvents(stage.client({ fetch: cutting }), { signal: stop.signal, reconnectMs: 1 });
      const taken = take(events, titles.length);
      await new Promise((resolve) => setTimeout(resolve, 300));
      for (const title of titles) await create(stage, kb, title);
      assert.deepEqual(await taken, titles);
      assert.ok(connections > 2, `${connections} connections`);
      await close(stop, events);
    });

    test("SDK8 a position that is not ours asks for a new listing, then the stream goes on", async () => {
      const stop = new AbortController();
      const events = streamEvents(stage.client(), { signal: stop.signal, lastEventId: 10_000_000 });
      const { value: first } = await events.next();
      assert.equal(first.type, "sync.required");
      assert.equal(first.reason, "cursor_unknown");
      const next = events.next();
      await create(stage, await stage.knowledgeBase(), "after");
      assert.equal(titleOf((await next).value), "after");
      await close(stop, events);
    });

    test("SDK8 a connection names the history that its position belongs to", async () => {
      const { history } = await stage.client().get("/changes");
      for (const options of [{ lastEventId: 10_000_000, history: "earlier" }, {}]) {
        const stop = new AbortController();
        const asked: (string | null)[] = [];
        const cutting: typeof fetch = async (input, init) => {
          const response = await fetch(input, init);
          const { pathname, searchParams } = new URL(String(input));
          if (!pathname.endsWith("/events")) return response;
          asked.push(searchParams.get("history"));
          if (asked.length === 2) stop.abort(new Error("done"));
          return cutAfter(response, LONGER_THAN_SYNC);
        };
        const client = stage.client({ fetch: cutting });
        const events = streamEvents(client, { ...options, signal: stop.signal, reconnectMs: 1 });
        if (options.history) assert.deepEqual(Object.entries((await events.next()).value).at(-1), ["history", history]);
        await assert.rejects(events.next(), /done/);
        assert.deepEqual(asked, [options.history ?? history, history]);
      }
    });

    test("SDK8 silence counts as a lost connection", async () => {
      const states: string[] = [];
      const stop = new AbortController();
      const mute: typeof fetch = async (input, init) =>
        String(input).includes("/events")
          ? new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } })
          : fetch(input, init);
      const events = streamEvents(stage.client({ fetch: mute }), {
        signal: stop.signal,
        silenceMs: 20,
        reconnectMs: 1,
        onState: (state) => {
          states.push(state);
          if (states.length === 4) stop.abort(new Error("done"));
        },
      });
      await assert.rejects(events.next(), /done/);
      assert.deepEqual(states, ["open", "lost", "open", "lost"]);
    });

    test("SDK8 a revoked token ends the stream with the service's reason", async () => {
      const guest = await stage.world.person();
      const client = stage.client({ token: guest.token });
      const events = streamEvents(client, {
        reconnectMs: 60_000,
        onState: async (state) => {
          if (state !== "open") return;
          await stage.world.app.services.database.transaction((tx) =>
            tx.updateTable("tokens").set({ revoked_at: Date.now() }).where("id", "=", guest.tokenId).execute(),
          );
        },
      });
      await assert.rejects(events.next(), (error) => isApiError(error, "token_revoked"));
    });

    test("SDK8 the stream outlives a restart of the service", async () => {
      const stop = new AbortController();
      const kb = await stage.knowledgeBase();
      const moving: typeof fetch = (input, init) =>
        fetch(String(input).replace("http://moving", stage.world.url), init);
      const client = stage.client({ baseUrl: "http://moving", fetch: moving });
      const events = streamEvents(client, { signal: stop.signal, reconnectMs: 5 });
      const first = take(events, 1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await create(stage, kb, "old process");
      assert.deepEqual(await first, ["old process"]);
      const second = take(events, 1);
      await stage.world.restart();
      await create(stage, kb, "new process");
      assert.deepEqual(await second, ["new process"]);
      await close(stop, events);
    });
  },
  { SVC_EVENT_HEARTBEAT_MS: "200" },
);

/** Bytes of the beginning of a stream, `sync.required` and a few heartbeats. */
const LONGER_THAN_SYNC = 250;

/** The answer, broken off after some bytes. */
function cutAfter(response: Response, bytes: number): Response {
  let left = bytes;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, out) => {
      out.enqueue(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) out.error(new TypeError("terminated"));
    },
  });
  return new Response(response.body?.pipeThrough(cut) ?? null, response);
}
