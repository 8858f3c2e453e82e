import { connect, type Socket } from "node:net";

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

type Done = (error: Error | undefined, status: number) => void;

const HEAD_END = "\r\n\r\n";
const READ_BYTES = 65536;
/** More than an ordinary head has; of the body behind it nothing is turned into text. */
const HEAD_BYTES = 1024;

/**
 * One kept HTTP/1.1 connection, one request at a time, on a raw socket: the sender shares the machine's cores with the
 * server, so it reads no more of an answer than it must. Answers need a `content-length`.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);
  #done: Done | undefined;
  #status = 0;
  /** The bytes of a head that is not complete yet. */
  #partial = "";
  /** Bytes of the body still to come; -1 while the head is awaited. */
  #missing = -1;
  #head = "";
  #kept: Buffer[] | undefined;

  private constructor(host: string, port: number, opened: (error?: Error) => void) {
    const callback = (bytes: number): boolean => {
      this.#take(bytes);
      return true;
    };
    this.#socket = connect({ host, port, noDelay: true, onread: { buffer: this.#buffer, callback } });
    this.#socket.once("connect", () => opened());
    this.#socket.on("error", (error) => {
      opened(error);
      this.#finish(error);
    });
    this.#socket.on("close", () => this.#finish(new Error("The server closed the connection.")));
  }

  /** `address` is the server's, such as `http://127.0.0.1:3000`. */
  static open(address: string): Promise<Connection> {
    const { hostname, port } = new URL(address);
    return new Promise((resolve, reject) => {
      const connection: Connection = new Connection(hostname, Number(port), (error) =>
        error ? reject(error) : resolve(connection),
      );
    });
  }

  /** Sends a whole request; `done` is called once, with the status when the answer is complete. */
  send(request: Buffer, done: Done): void {
    this.#done = done;
    this.#socket.write(request);
  }

  /** Sends a request and keeps the answer. */
  ask(request: Buffer): Promise<Answer> {
    const kept: Buffer[] = [];
    this.#kept = kept;
    return new Promise((resolve, reject) => {
      this.send(request, (error, status) => {
        this.#kept = undefined;
        if (error) reject(error);
        else resolve({ status, head: this.#head, body: Buffer.concat(kept) });
      });
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: number): void {
    let from = 0;
    if (this.#missing < 0) {
      const end = this.#readHead(bytes);
      if (end === undefined) return;
      from = end;
    }
    this.#kept?.push(Buffer.from(this.#buffer.subarray(from, bytes)));
    this.#missing -= bytes - from;
    if (this.#missing === 0) this.#finish(undefined);
    else if (this.#missing < 0) this.#finish(new Error("The answer is longer than it says."));
  }

  /** The body's start in the buffer; undefined while the head is incomplete. */
  #readHead(bytes: number): number | undefined {
    const before = this.#partial.length;
    let text = this.#partial + this.#buffer.toString("latin1", 0, Math.min(bytes, HEAD_BYTES));
    let end = text.indexOf(HEAD_END);
    if (end < 0 && bytes > HEAD_BYTES) {
      text = this.#partial + this.#buffer.toString("latin1", 0, bytes);
      end = text.indexOf(HEAD_END);
    }
    if (end < 0) {
      this.#partial = text;
      if (text.length > READ_BYTES) this.#finish(new Error("The answer's head does not end."));
      return undefined;
    }
    this.#partial = "";
    this.#head = text.slice(0, end);
    this.#status = Number(text.slice(9, 12));
    const length = this.#status === 304 || this.#status === 204 ? 0 : contentLength(this.#head);
    if (Number.isNaN(length)) this.#finish(new Error(`An answer without content-length: ${this.#head}`));
    this.#missing = length;
    return end + HEAD_END.length - before;
  }

  #finish(error: Error | undefined): void {
    const done = this.#done;
    this.#done = undefined;
    this.#missing = -1;
    done?.(error, this.#status);
  }
}

function contentLength(head: string): number {
  const found = /\r\ncontent-length: *(\d+)/i.exec(head);
  return found ? Number(found[1]) : Number.NaN;
}
