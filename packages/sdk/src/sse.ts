import { ConnectionError } from "./errors.ts";

/** One block of an event stream; a block may be a comment alone. */
interface Message {
  readonly comment: string | undefined;
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
  /** Milliseconds that the server asks to wait before a new connection. */
  readonly retry: number | undefined;
}

/** Max characters of one message; the service's have a few thousand. */
const MAX_MESSAGE = 1_000_000;

/** Cuts a text that comes in pieces into messages, as the standard says; unknown fields are skipped. */
export class MessageReader {
  #rest = "";
  /** The characters of the message that has begun. */
  #length = 0;
  #fields: { comment?: string; id?: string; event?: string; data?: string[]; retry?: number } = {};

  /** The messages that this piece completes. Throws at one that does not end. */
  take(text: string): Message[] {
    const messages: Message[] = [];
    const whole = this.#rest + text;
    // A carriage return at the very end may be the first half of a line end.
    const end = whole.endsWith("\r") ? whole.length - 1 : whole.length;
    const lines = whole.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() + whole.slice(end);
    for (const line of lines) {
      this.#length = line === "" ? 0 : this.#length + line.length;
      if (line !== "") this.#field(line);
      else this.#close(messages);
    }
    if (this.#length + this.#rest.length > MAX_MESSAGE)
      throw new ConnectionError("not_the_api", `A message of the stream has more than ${MAX_MESSAGE} characters.`);
    return messages;
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (colon === 0) this.#fields.comment = value;
    else if (name === "data") this.#fields.data = [...(this.#fields.data ?? []), value];
    else if (name === "event") this.#fields.event = value;
    else if (name === "id" && !value.includes("\0")) this.#fields.id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.#fields.retry = Number(value);
  }

  #close(messages: Message[]): void {
    const { comment, id, event = "message", data = [], retry } = this.#fields;
    this.#fields = {};
    messages.push({ comment, id, event, data: data.join("\n"), retry });
  }
}
