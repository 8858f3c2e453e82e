import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { test } from "node:test";
import { portOf } from "../../http/port-of.ts";
import { InvalidSetting } from "../invalid-setting.ts";
import { BlobStoreFailure } from "./blob-store.ts";
import { openBlobStore } from "./open-blob-store.ts";
import { readS3Url } from "./s3-settings.ts";
import { s3Store } from "./s3-store.ts";

const quick = { retry: { attempts: 3, baseDelayMs: 1, maxDelayMs: 50 } };
const generous = { maxBytes: 1000 };

async function* bytes(text: string) {
  yield Buffer.from(text);
}

async function withServer(listener: RequestListener, use: (endpoint: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${portOf(server)}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const storeAt = (endpoint: string) => s3Store(readS3Url(`s3://key:secret@bucket?endpoint=${endpoint}`), quick);

test("failures of the store and lost connections are tried again, refusals are not", async () => {
  let calls = 0;
  const listener: RequestListener = (request, response) => {
    calls++;
    request.resume();
    if (request.url?.endsWith("refused")) return void response.writeHead(400).end();
    if (calls === 1) return void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    if (calls === 2) return void request.socket.destroy();
    response.writeHead(200).end();
  };
  await withServer(listener, async (endpoint) => {
    await storeAt(endpoint).put("a", bytes("x"), generous);
    assert.equal(calls, 3);
    await assert.rejects(storeAt(endpoint).put("refused", bytes("x"), generous), BlobStoreFailure);
    assert.equal(calls, 4);
  });
});

test("a store that stays away is told after the last attempt", async () => {
  const put = storeAt("http://127.0.0.1:1").put("a", bytes("x"), generous);
  await assert.rejects(put, (error) => error instanceof BlobStoreFailure && error.status === undefined);
});

test("an upload that fails in its middle is withdrawn", async () => {
  const seen: string[] = [];
  const listener: RequestListener = (request, response) => {
    const query = new URL(request.url ?? "", "http://x").searchParams;
    seen.push(`${request.method} ${query.get("partNumber") ?? query.get("uploadId") ?? "begin"}`);
    request.resume();
    request.on("end", () => {
      if (query.get("partNumber") === "2") return void response.writeHead(400).end();
      response.writeHead(200, { etag: '"1"' }).end("<R><UploadId>u&amp;1</UploadId></R>");
    });
  };
  async function* parts() {
    for (let count = 0; count < 11; count++) yield Buffer.alloc(1024 * 1024);
  }
  await withServer(listener, async (endpoint) => {
    await assert.rejects(storeAt(endpoint).put("a", parts(), { maxBytes: 10 ** 8 }), BlobStoreFailure);
    assert.deepEqual(seen, ["POST begin", "PUT 1", "PUT 2", "DELETE u&1"]);
  });
});

test("reads the address of a bucket in all its forms", () => {
  const env = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "s", AWS_SESSION_TOKEN: "t" };
  const aws = readS3Url("s3://files/a/b/?region=eu-north-1", env);
  assert.equal(aws.bucketUrl, "https://files.s3.eu-north-1.amazonaws.com");
  assert.deepEqual([aws.prefix, aws.accessKeyId, aws.sessionToken], ["a/b/", "id", "t"]);
  const own = readS3Url("s3://k%3Ay:p%2Fw@files?endpoint=http://127.0.0.1:9000/base/", env);
  assert.equal(own.bucketUrl, "http://127.0.0.1:9000/base/files");
  assert.deepEqual([own.accessKeyId, own.secretAccessKey, own.sessionToken], ["k:y", "p/w", undefined]);
  assert.equal(readS3Url("s3://a.b", env).bucketUrl, "https://s3.us-east-1.amazonaws.com/a.b");
});

test("a wrong address stops the start with the setting's name and without its secret", () => {
  const wrong = [
    "http://hush:hush@bucket",
    "s3://hush:hush@",
    "s3://hush:hush@bucket?regoin=x",
    "s3://hush:hush@bucket?endpoint=ftp://x",
    "s3://hush:hush@bucket/a/../../b c",
    "s3://hush:hush@bucket?style=virtual",
    "s3://bucket",
    "hush",
  ];
  for (const blobUrl of wrong) {
    assert.throws(
      () => openBlobStore({ blobUrl, dataDir: "data" }),
      (error) =>
        error instanceof InvalidSetting && /^SVC_BLOB_URL/.test(error.message) && !error.message.includes("hush"),
    );
  }
});
