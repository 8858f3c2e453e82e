import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How long a connection that comes while the server stops has for its first byte. */
const GRACE_MS = 200;

const endIfSilent = (socket: Socket): void => {
  if (socket.bytesRead === 0) socket.destroy();
};

/**
 * Connections on which nothing has been sent yet, such as browsers open in advance, count as busy for Node: when the
 * server stops, they would hold it up until the time for their headers is over. So they are ended here, and so are
 * those that still come before the port is closed.
 */
export function endSilentConnections(server: FastifyInstance): void {
  const open = new Set<Socket>();
  let isClosing = false;
  server.server.on("connection", (socket: Socket) => {
    if (isClosing) setTimeout(endIfSilent, GRACE_MS, socket);
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.addHook("preClose", (done) => {
    isClosing = true;
    open.forEach(endIfSilent);
    done();
  });
}
