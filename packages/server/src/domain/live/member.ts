import type { Caret, ServerMessage } from "@svc/live/frames";
import { CLOSE } from "@svc/live/frames";
import type { WebSocket } from "ws";
import type { Editor } from "../../services/live-documents.ts";

/** Limit of buffered bytes for a peer that does not read. */
const MAX_UNSENT_BYTES = 1024 * 1024;

interface MemberOptions extends Editor {
  readonly socket: WebSocket;
  readonly connection: string;
  readonly client: number;
  readonly right: "write" | "read";
  readonly position: number;
}

/** One connected editor of a live document. */
export class Member implements Editor {
  readonly workspaceId: string;
  readonly sessionHash: string;
  readonly userId: string;
  readonly connection: string;
  /** Its Yjs client id; 0 for a reader. */
  readonly client: number;
  readonly right: "write" | "read";
  readonly since = Date.now();
  readonly #socket: WebSocket;
  #answered = true;
  /** The next clock of its client id, including pending updates. */
  clock = 0;
  /** The last row sent to it. */
  position: number;
  /** Whether it has everything up to the room's position and receives each new row. */
  isLive = false;
  place: Caret | null = null;

  constructor(options: MemberOptions) {
    this.#socket = options.socket;
    this.workspaceId = options.workspaceId;
    this.sessionHash = options.sessionHash;
    this.userId = options.userId;
    this.connection = options.connection;
    this.client = options.client;
    this.right = options.right;
    this.position = options.position;
    this.#socket.on("pong", () => {
      this.#answered = true;
    });
  }

  get isClosed(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  send(message: ServerMessage): void {
    this.#write(JSON.stringify(message));
  }

  /** Sends one row, unless it already has it. */
  give(seq: number, frame: Uint8Array): void {
    if (seq <= this.position) return;
    this.position = seq;
    this.#write(frame);
  }

  #write(data: string | Uint8Array): void {
    if (this.isClosed) return;
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) this.close(CLOSE.slow, "takes nothing");
    else this.#socket.send(data);
  }

  /** Disconnects a peer that did not answer the last ping. */
  ping(): void {
    if (this.isClosed) return;
    if (this.#answered) this.#socket.ping();
    else this.#socket.terminate();
    this.#answered = false;
  }

  close(code: number, reason: string): void {
    if (this.#socket.readyState <= this.#socket.OPEN) this.#socket.close(code, reason);
    // Disconnects a peer that does not answer the close.
    setTimeout(() => this.#socket.terminate(), 2000).unref();
  }
}
