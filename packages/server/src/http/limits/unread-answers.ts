import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** For all connections of this process together: some fifty of the largest answers. */
const MAX_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 500;
/** A connection with less is never cut off: the system's own buffers hold more. */
const LARGE_BYTES = 256 * 1024;

interface Waiting {
  /** Bytes that the process holds for a reader. */
  readonly unread: number;
  /** For how many checks in a row the reader has accepted none of its pieces. */
  readonly looks: number;
}

/**
 * Chooses the connections to cut off so that the rest is within the limit: those that have waited longest, of these the
 * largest; never one that has just begun.
 */
export function overLimit<W extends Waiting>(waiting: readonly W[], most: number): W[] {
  let over = waiting.reduce((sum, { unread }) => sum + unread, 0) - most;
  const cut: W[] = [];
  for (const one of waiting.toSorted((a, b) => b.looks - a.looks || b.unread - a.unread)) {
    if (over <= 0 || one.looks < 2) break;
    cut.push(one);
    over -= one.unread;
  }
  return cut;
}

/**
 * An answer stays in memory until its reader has accepted it, which may take forever. This limits the total, so that
 * nobody can use up the memory by requesting much and reading nothing.
 */
export function limitUnreadAnswers(server: FastifyInstance, mostBytes = MAX_BYTES): void {
  const open = new Map<Socket, { taken: number; looks: number }>();
  server.server.on("connection", (socket: Socket) => {
    open.set(socket, { taken: 0, looks: 0 });
    socket.once("close", () => open.delete(socket));
  });
  const look = () => {
    const waiting: (Waiting & { socket: Socket })[] = [];
    for (const [socket, known] of open) {
      const unread = socket.writableLength;
      const taken = socket.bytesWritten - unread;
      known.looks = unread >= LARGE_BYTES && taken === known.taken ? known.looks + 1 : 0;
      known.taken = taken;
      if (unread >= LARGE_BYTES) waiting.push({ socket, unread, looks: known.looks });
    }
    for (const { socket } of overLimit(waiting, mostBytes)) socket.destroy();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  server.addHook("onClose", (_server, done) => {
    clearInterval(timer);
    done();
  });
}
