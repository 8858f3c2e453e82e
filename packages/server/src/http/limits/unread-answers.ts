import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Of all connections of this process together: some fifty of the largest answers. */
const MOST_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 500;
/** For less than this nobody is cut off: the system's own buffers hold more. */
const LARGE_BYTES = 256 * 1024;

interface Waiting {
  /** Bytes that the process holds for a reader. */
  readonly unread: number;
  /** At how many looks in a row it had taken none of the pieces in which they are handed over. */
  readonly looks: number;
}

/** Whom to cut off so that the rest is within the limit: who has waited longest, of those the largest; not who has just begun. */
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
 * An answer is held in memory until its reader has taken it, and a reader may take for ever. So that nobody uses the
 * memory up by asking for much and reading nothing, there is a limit for all of it.
 */
export function limitUnreadAnswers(server: FastifyInstance, mostBytes = MOST_BYTES): void {
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
