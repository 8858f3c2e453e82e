/** The least that an upload and a download are: the body goes to a new file, flushed, and comes from it. */

import { createReadStream, createWriteStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { defined } from "@svc/document/defined";
import { portOf } from "@svc/server/http/port-of";

let count = 0;
const fileOf = (number: number) => join(defined(process.env.BENCH_DATA), `bare-${number}`);
const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.setHeader("content-length", statSync(fileOf(1)).size);
    await pipeline(createReadStream(fileOf(1)), response);
    return;
  }
  await pipeline(request, createWriteStream(fileOf(++count), { flush: true }));
  response.setHeader("content-length", 0);
  response.end();
});
server.listen(0, "127.0.0.1", () => {
  const port = portOf(server);
  process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`);
});
