/** The smallest server for live documents: it hands each message to the others of its room and stores nothing. */
import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";

const rooms = new Map<string, Set<WebSocket>>();
const server = createServer((request, response) => {
  const bytes = Number(new URL(request.url ?? "", "http://relay").searchParams.get("bytes"));
  response.end(Buffer.alloc(bytes, 7));
});
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket, { url = "" }) => {
  const room = rooms.get(url) ?? new Set<WebSocket>();
  rooms.set(url, room.add(socket));
  socket.on("message", (data) => {
    for (const other of room) if (other !== socket) other.send(data);
  });
  socket.on("close", () => room.delete(socket));
  socket.send("hello");
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }));
});
