import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { providerServer } from "../../../test/support/provider-server.ts";
import { portOf } from "../../http/port-of.ts";
import { type Attempt, openWebhookSender } from "./sender.ts";

const never = new AbortController().signal;
const loopback = { allowedRanges: ["127.0.0.0/8"], timeoutMs: 20_000 };
const send = (url: string, options: Parameters<typeof openWebhookSender>[0] = loopback): Promise<Attempt> =>
  openWebhookSender(options).send({ url, headers: { "x-test": "1" }, body: "{}" }, never);

test("HOOK20 a name is resolved once, and the connection goes to the address that was checked", async () => {
  await using receiver = await providerServer(() => ({ status: 204, text: "" }));
  let asked = 0;
  const resolve = async () => {
    // A name that changes its mind: only the first answer counts.
    asked++;
    return [{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
  };
  const { port } = new URL(receiver.url);
  const attempt = await send(`http://rebinding.example:${port}/hook`, { ...loopback, resolve });
  assert.equal(attempt.responseStatus, 204);
  assert.equal(asked, 1);
  assert.equal(receiver.seen[0]?.headers.host, `rebinding.example:${port}`);
  assert.equal(receiver.seen[0]?.path, "/hook");
});

test("HOOK20 a name with one address that is not allowed is not connected to at all", async () => {
  await using receiver = await providerServer(() => ({}));
  const { port } = new URL(receiver.url);
  for (const address of ["10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"]) {
    const resolve = async () => [
      { address: "127.0.0.1", family: 4 },
      { address, family: address.includes(":") ? 6 : 4 },
    ];
    const attempt = await send(`http://two-faced.example:${port}/`, { ...loopback, resolve });
    assert.equal(attempt.error?.code, "address_not_allowed", address);
  }
  assert.equal((await send(receiver.url, { ...loopback, allowedRanges: [] })).error?.code, "url_not_allowed");
  assert.equal(receiver.seen.length, 0);
});

test("HOOK13 redirects are not followed, and other refusals are told by their status", async () => {
  await using receiver = await providerServer(({ path }) => ({
    status: Number(path.split("/").at(-1)),
    headers: { location: "http://127.0.0.1:1/" },
    text: "moved",
  }));
  const codes = new Map<number, string | undefined>();
  for (const status of [200, 202, 204, 301, 307, 400, 404, 410, 500, 503])
    codes.set(status, (await send(`${receiver.url}/${status}`)).error?.code);
  assert.deepEqual(Object.fromEntries(codes), {
    200: undefined,
    202: undefined,
    204: undefined,
    301: "redirect",
    307: "redirect",
    400: "refused",
    404: "refused",
    410: "gone",
    500: "refused",
    503: "refused",
  });
  assert.equal(receiver.seen.length, 10);
});

test("HOOK14 a receiver that is silent, gone, slow or endless costs a bounded time and memory", async () => {
  await using silent = await providerServer(() => () => undefined);
  assert.equal((await send(silent.url, { ...loopback, timeoutMs: 200 })).error?.code, "timeout");

  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const port = portOf(closed);
  closed.close();
  assert.equal((await send(`http://127.0.0.1:${port}/`)).error?.code, "connection_failed");

  await using endless = await providerServer(() => (response) => {
    response.on("error", () => undefined);
    const more = () => !response.destroyed && response.write("é\u0000".repeat(50_000), more);
    more();
  });
  const attempt = await send(endless.url);
  assert.equal(attempt.responseStatus, 200);
  assert.ok(Buffer.byteLength(attempt.responseBody ?? "") <= 1100, "only the beginning is kept");
  assert.ok(!attempt.responseBody?.includes("\0"));

  await using trickling = await providerServer(() => (response) => void response.write("{"));
  assert.equal((await send(trickling.url)).responseStatus, 200, "the status is enough");
});

test("HOOK14 what is not TLS is told as that", async () => {
  await using plain = await providerServer(() => ({}));
  assert.equal((await send(plain.url.replace("http:", "https:"))).error?.code, "tls_failed");
});

test("HOOK14 a stop cuts an attempt off", async () => {
  await using silent = await providerServer(() => () => undefined);
  const stop = new AbortController();
  const sender = openWebhookSender(loopback);
  const attempt = sender.send({ url: silent.url, headers: {}, body: "{}" }, stop.signal);
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(attempt, { name: "AbortError" });
});

test("HOOK14 an attempt that begins while the service stops asks for no address, and fails nowhere else", async () => {
  let asked = 0;
  const resolve = async () => {
    asked++;
    return [];
  };
  const stopped = AbortSignal.abort(new Error("stopping"));
  const sender = openWebhookSender({ ...loopback, resolve });
  const message = { url: "https://nowhere.example/", headers: {}, body: "{}" };
  await assert.rejects(sender.send(message, stopped), /stopping/);
  assert.equal(asked, 0);
});
