/** The smallest server that writes the same bytes to the same number of sockets: what event streams cost at least. */

import { createServer, type ServerResponse } from "node:http";
import { portOf } from "@svc/server/http/port-of";

const streams = new Set<ServerResponse>();
const server = createServer((request, response) => {
  if (request.method === "POST") {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const bytes = Buffer.concat(parts);
      response.end();
      for (const stream of streams) stream.write(bytes);
    });
  } else {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry: 5000\n\n");
    streams.add(response);
    response.on("close", () => streams.delete(response));
  }
});
server.listen(0, "127.0.0.1", () => {
  const port = portOf(server);
  console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }));
});
