import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How long a connection that opens while the server stops may take to send its first byte. */
const GRACE_MS = 200;

const endIfSilent = (socket: Socket): void => {
  if (socket.bytesRead === 0) socket.destroy();
};

/**
 * Node counts connections without any bytes, such as those that browsers open in advance, as busy: they would delay a
 * stop until the time limit for their headers. So this ends them, and those that still open before the port is closed.
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
