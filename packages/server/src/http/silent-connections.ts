import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Connections on which nothing has been sent yet, such as browsers open in advance, count as busy for Node: when the
 * server stops, they would hold it up until the time for their headers is over. So they are ended here.
 */
export function endSilentConnections(server: FastifyInstance): void {
  const open = new Set<Socket>();
  server.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.addHook("preClose", (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}
