import { merge3 } from "@svc/document/merge3";
import type { NewId, Node } from "@svc/document/types";
import * as Y from "yjs";
import {
  type Caret,
  CLOSE,
  type Person,
  packFrame,
  type RowHeader,
  type ServerMessage,
  type StateHeader,
  unpackFrame,
} from "./frames.ts";
import { ENCODING, LiveState } from "./live-state.ts";
import { mergeBlock } from "./merge-block.ts";
import { rememberLoaded } from "./others-deletions.ts";
import { Outbox, type SentUpdate } from "./outbox.ts";
import { applyWithRescue } from "./rescue-text.ts";

/** The members of a WebSocket that the session uses, both in browsers and in `ws`. */
export interface Socket {
  binaryType: string;
  readonly readyState: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(type: "message", heard: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", heard: (event: { readonly code: number }) => void): void;
}

export type SessionStatus =
  | { readonly kind: "connecting" | "saving" | "saved" | "offline" | "watching" }
  | { readonly kind: "refused"; readonly reason: string };

export interface SessionOptions {
  /** Fetches the bytes of `GET …/live/state`; `epoch` is the one that the tab has, if any. */
  readonly fetchState: (epoch: string | undefined) => Promise<Uint8Array>;
  /** Opens `…/live/socket` with this query. */
  readonly openSocket: (query: string) => Socket;
  readonly newId: NewId;
  /** Whether words in a line that others removed may get a line of their own; false in spreadsheets. */
  readonly makesLines?: boolean | undefined;
  /** The journal that an earlier tab kept of this document. */
  readonly journal?: Journal | undefined;
  readonly onStatus?: (status: SessionStatus) => void;
  readonly onPeople?: (people: readonly Person[]) => void;
  /** The server changed typed text; the message says why. */
  readonly onNotice?: (message: string) => void;
  /** Another person typed, and their caret is here now. */
  readonly onCaret?: (connection: string, place: Caret) => void;
  /** Called before an update is applied; the connection is empty if the server merged a program's write. */
  readonly onRow?: (connection: string) => void;
  /** The live state was rebuilt: the editor must switch to this one. */
  readonly onState?: (live: LiveState) => void;
}

/** Edits that a tab keeps on the device until the server has stored them. */
export interface Journal {
  readonly epoch: string;
  readonly seq: number;
  readonly client: number;
  readonly resume: string;
  /** The tab's document, and the last saved one. */
  readonly mine: Uint8Array;
  readonly base: Uint8Array;
  readonly unsent: Uint8Array | undefined;
}

/** The origin of updates that came from the server. */
const REMOTE = Symbol("remote");

/** The first update after a pause is sent at once; updates in the following milliseconds are sent together. */
const GATHER_MS = 40;
const RETRY_MS = { least: 300, most: 10_000 };
const OPEN = 1;

/** Close codes after which reconnecting is pointless. */
const finalReasons: Readonly<Record<number, string>> = {
  [CLOSE.garbage]: "this tab is out of date, reload the page",
  [CLOSE.signedOut]: "you are signed out",
  [CLOSE.notAllowed]: "you may no longer edit this document",
  [CLOSE.gone]: "the document was deleted",
  [CLOSE.tooLong]: "the document is too long",
};

/** The state of a session's connection. */
type Phase =
  /** A socket was opened, and the server has not answered yet. */
  | "connecting"
  | "ready"
  /** The connection is lost; a timer opens the next one. */
  | "waiting"
  /** The same, and the server has another live state, which is fetched first. */
  | "outdated"
  | "closed";

/**
 * A tab's side of live editing: the live state, its own unstored edits, and the socket. An edit is never dropped: the
 * session sends it again until it is stored, and merges it into the new live state after a rebuild.
 */
export class LiveSession {
  live: LiveState = new LiveState(new Y.Doc({ gc: false }));
  readonly #options: SessionOptions;
  #epoch: string | undefined;
  #socket: Socket | undefined;
  #phase: Phase = "connecting";
  #mayWrite = false;
  connection = "";
  #client = 0;
  #resume = "";
  #seq = 0;
  readonly #outbox = new Outbox();
  #sendTimer: ReturnType<typeof setTimeout> | undefined;
  #sentAt = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = RETRY_MS.least;
  /** Updates with their rows, for the last saved document. */
  #rows: { readonly seq: number; readonly update: Uint8Array }[] = [];
  #lastOwnSeq = 0;
  #savedSeq = 0;
  #refusal: string | undefined;
  place: Caret | null = null;
  /** The caret that others know. */
  #sentCaret: Caret | null = null;
  /** The text with edits that the server no longer accepts, for copying. */
  #denied: readonly Node[] | undefined;
  /** Edits to make again once the tab has a client id. */
  #merge: Journal | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get mayWrite(): boolean {
    return this.#mayWrite && this.#client > 0;
  }

  get epoch(): string | undefined {
    return this.#epoch;
  }

  /** True if everything typed here is in the body. */
  get isSaved(): boolean {
    return this.isStored && this.#savedSeq >= this.#lastOwnSeq;
  }

  /** True if the server has stored everything typed here. */
  get isStored(): boolean {
    return this.#outbox.isEmpty;
  }

  /** True while edits from an earlier live state wait to be made again; the device keeps them until then. */
  get isMerging(): boolean {
    return this.#merge !== undefined;
  }

  async start(): Promise<void> {
    await this.#load();
    this.#connect();
  }

  close(): void {
    this.#phase = "closed";
    clearTimeout(this.#sendTimer);
    clearTimeout(this.#retryTimer);
    this.#socket?.close();
  }

  /** Drops the connection as a network failure would; the session reconnects by itself. */
  disconnect(): void {
    this.#socket?.close();
  }

  /** Called when the device goes offline: stops waiting for answers. */
  loseNetwork(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.close();
    void this.#lost(0);
  }

  /** Called when the device is online again. */
  findNetwork(): void {
    if (this.#retryTimer !== undefined) void this.#again();
  }

  /** Sends gathered updates at once because the tab is about to close. */
  flush(): void {
    this.#send();
  }

  /**
   * Fetches the live state. Edits that only the tab or its journal has are kept: by Yjs in the same epoch, by merging
   * otherwise.
   */
  async #load(): Promise<void> {
    const { journal, fetchState } = this.#options;
    const frame = unpackFrame(await fetchState(this.#epoch ?? journal?.epoch));
    const mine = this.#merge ?? (this.#epoch === undefined ? journal : this.toJournal());
    const header = frame?.header as StateHeader | undefined;
    if (!frame || header?.encoding !== ENCODING) throw new Error("The live state cannot be read.");
    const updates = header.hasVector ? frame.parts.slice(1) : frame.parts;
    this.#rows = updates.map((update) => ({ seq: 0, update }));
    this.#seq = header.seq;
    this.#savedSeq = header.foldedSeq;
    const isSame = mine?.epoch === header.epoch;
    this.#merge = undefined;
    this.#outbox.reset();
    this.#epoch = header.epoch;
    const live = LiveState.open(new Y.Doc({ gc: false }), mine && isSame ? [mine.mine] : updates, REMOTE);
    if (mine && isSame) this.#takeUp(live, mine, updates);
    else this.#begin(live, header);
    if (!isSame) rememberLoaded(live.doc);
    this.#follow(live);
    // Updates of another epoch cannot be applied, so this tab makes their changes again as its own edits.
    if (mine && !isSame) this.#merge = mine;
    this.#reportStatus();
    this.#options.onState?.(live);
  }

  /** With the client id from the state, the tab can write before the socket is open. */
  #begin(live: LiveState, { client = 0, resume = "" }: StateHeader): void {
    this.#client = client;
    this.#resume = resume;
    this.#mayWrite ||= client > 0;
    if (client > 0) live.doc.clientID = client;
  }

  /** The text as this person wrote it. */
  get ownBlocks(): readonly Node[] {
    return this.#denied ?? this.live.blocks;
  }

  /** Continues from the journal and applies what others did since. */
  #takeUp(live: LiveState, journal: Journal, updates: readonly Uint8Array[]): void {
    this.#client = journal.client;
    this.#resume = journal.resume;
    live.doc.clientID = journal.client;
    this.#outbox.reset(journal.unsent);
    const stored = Math.max(...updates.map((update) => Y.parseUpdateMeta(update).to.get(journal.client) ?? 0));
    for (const update of updates) this.#take(live, update, { stored });
  }

  /**
   * Applies a change by others. If it removed a line with words of this tab that its author had not seen, the words are
   * written again.
   */
  #take(live: LiveState, update: Uint8Array, clocks: { readonly stored?: number; readonly seen?: number }): void {
    const { newId, makesLines = true } = this.#options;
    const own = applyWithRescue(live, update, { origin: REMOTE, newId, makesLines, ...clocks });
    if (own) this.#hear(own, undefined);
  }

  /** The clock up to which the server has stored this tab's words. */
  get #storedClock(): number {
    const { doc } = this.live;
    const from = this.#outbox.all.flatMap((update) => Y.parseUpdateMeta(update).from.get(doc.clientID) ?? []);
    return Math.min(Y.getState(doc.store, doc.clientID), ...from);
  }

  #follow(live: LiveState): void {
    this.live.doc.off("update", this.#hear);
    this.live = live;
    live.doc.on("update", this.#hear);
  }

  readonly #hear = (update: Uint8Array, origin: unknown): void => {
    if (origin === REMOTE) return;
    this.#outbox.add(update);
    this.#sendTimer ??= setTimeout(() => this.#send(), Math.max(0, this.#sentAt + GATHER_MS - performance.now()));
    this.#reportStatus();
  };

  #connect(): void {
    if (this.#phase === "closed") return;
    this.#phase = "connecting";
    const query = new URLSearchParams({
      epoch: this.#epoch ?? "",
      seq: String(this.#seq),
      client: String(this.#client),
      resume: this.#resume,
    });
    const socket = this.#options.openSocket(query.toString());
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => {
      if (this.#socket !== socket) return;
      if (typeof data === "string") this.#message(JSON.parse(data));
      else this.#row(new Uint8Array(data as ArrayBuffer));
    });
    socket.addEventListener("close", ({ code }) => {
      if (this.#socket === socket) void this.#lost(code);
    });
    this.#reportStatus();
  }

  async #lost(code: number): Promise<void> {
    this.#socket = undefined;
    const reason = finalReasons[code];
    if (reason !== undefined) {
      this.#refusal = reason;
      this.#mayWrite = false;
      this.#phase = "closed";
    }
    const isClosed = this.#phase === "closed";
    if (!isClosed) this.#phase = code === CLOSE.epoch ? "outdated" : "waiting";
    this.#reportStatus();
    if (isClosed) return;
    this.#retryTimer = setTimeout(() => void this.#again(), this.#retryMs * (0.5 + Math.random()));
    this.#retryMs = Math.min(RETRY_MS.most, this.#retryMs * 2);
  }

  async #again(): Promise<void> {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    try {
      if (this.#phase === "outdated") await this.#load();
      this.#connect();
    } catch {
      await this.#lost(this.#phase === "outdated" ? CLOSE.epoch : 0);
    }
  }

  #message(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        this.#greeted(message);
        break;
      case "stored": {
        const update = this.#outbox.remove(message.n);
        if (update) this.#rows.push({ seq: message.seq, update });
        this.#seq = Math.max(this.#seq, message.seq);
        this.#lastOwnSeq = message.seq;
        // The edit may be sent before the editor reports the caret after it.
        if (this.place !== this.#sentCaret) this.sendCaret(this.place);
        break;
      }
      case "saved":
        this.#savedSeq = message.seq;
        this.#refusal = undefined;
        break;
      case "people":
        this.#options.onPeople?.(message.people);
        break;
      case "refused":
        this.#refusal = message.message;
    }
    this.#reportStatus();
  }

  #greeted(hello: Extract<ServerMessage, { type: "hello" }>): void {
    const isOther = this.#client > 0 && hello.client !== this.#client;
    if (isOther && !this.isStored) this.#startOver(hello.mayWrite);
    this.connection = hello.connection;
    this.#client = hello.client;
    this.#resume = hello.resume;
    this.#mayWrite = hello.mayWrite;
    this.#savedSeq = Math.max(this.#savedSeq, hello.foldedSeq);
    if (hello.client > 0) this.live.doc.clientID = hello.client;
    if (this.#phase !== "closed") this.#phase = "ready";
    this.#retryMs = RETRY_MS.least;
    const merge = this.#merge;
    if (merge && hello.client > 0) {
      this.#merge = undefined;
      this.makeAgain(merge);
    }
    for (const one of this.#outbox.sent) this.#write(one);
    this.#send();
  }

  /**
   * The old client id was refused, so updates made with it cannot be sent: a live state without them replaces this one,
   * and their changes are made again in it. If the user may no longer write, the text is kept so they can copy it.
   */
  #startOver(mayWrite: boolean): void {
    if (mayWrite) this.#merge = this.toJournal();
    else this.#denied = this.live.blocks;
    this.#outbox.reset();
    const updates = this.#rows.map(({ update }) => update);
    this.#follow(LiveState.open(new Y.Doc({ gc: false }), updates, REMOTE));
    this.#options.onState?.(this.live);
  }

  /**
   * Repeats the changes of an earlier live state, or of a closed tab, in this one. A block that others deleted
   * meanwhile comes back.
   */
  makeAgain(journal: Journal): void {
    const [base, mine] = [journal.base, journal.mine].map((update) => LiveState.fromUpdates([update]).blocks);
    const { newId } = this.#options;
    const options = { mergeBlock, revive: (block: Node) => withNewIds(block, newId) };
    this.live.setBlocks(merge3(base!, this.live.blocks, mine!, options).blocks);
  }

  #row(bytes: Uint8Array): void {
    const frame = unpackFrame(bytes);
    const header = frame?.header as RowHeader | undefined;
    const update = frame?.parts[0];
    if (!header || !update) return;
    this.#options.onRow?.(header.connection);
    // A fold has every word that was stored before it.
    this.#take(this.live, update, header.connection === "" ? { seen: this.#storedClock } : {});
    this.#rows.push({ seq: header.seq, update });
    this.#seq = Math.max(this.#seq, header.seq);
    if (header.place && header.connection) this.#options.onCaret?.(header.connection, header.place);
    if (header.notice) this.#options.onNotice?.(header.notice);
    this.#reportStatus();
  }

  #send(): void {
    clearTimeout(this.#sendTimer);
    this.#sendTimer = undefined;
    if (!this.#outbox.hasGathered || this.#client === 0) return;
    this.#sentAt = performance.now();
    for (const one of this.#outbox.takeGathered()) this.#write(one);
  }

  #write({ n, update }: SentUpdate): void {
    if (this.#phase !== "ready" || this.#socket?.readyState !== OPEN) return;
    this.#sentCaret = this.place;
    this.#socket.send(packFrame({ n, place: this.place }, update));
  }

  /** Sends the caret to others; typing sends it too. */
  sendCaret(place: Caret | null): void {
    this.place = place;
    if (this.#phase !== "ready" || !this.isStored || this.#socket?.readyState !== OPEN) return;
    this.#sentCaret = place;
    this.#socket.send(JSON.stringify({ type: "place", place }));
  }

  /** Everything the device must keep for these edits to survive the tab. */
  toJournal(): Journal {
    const own = this.#outbox.all;
    return {
      epoch: this.#epoch ?? "",
      seq: this.#seq,
      client: this.#client,
      resume: this.#resume,
      mine: Y.encodeStateAsUpdate(this.live.doc),
      base: Y.mergeUpdates(this.#rows.filter(({ seq }) => seq <= this.#savedSeq).map(({ update }) => update)),
      unsent: own.length > 0 ? Y.mergeUpdates([...own]) : undefined,
    };
  }

  #reportStatus(): void {
    this.#options.onStatus?.(this.status);
  }

  get status(): SessionStatus {
    const reason = this.#denied ? finalReasons[CLOSE.notAllowed] : this.#refusal;
    if (reason !== undefined) return { kind: "refused", reason };
    if (this.#phase !== "ready") return { kind: this.connection === "" ? "connecting" : "offline" };
    if (!this.#mayWrite) return { kind: "watching" };
    return { kind: this.isSaved ? "saved" : "saving" };
  }
}

const withNewIds = (node: Node, newId: NewId): Node => ({
  ...node,
  ...(node.attrs?.id !== undefined && { attrs: { ...node.attrs, id: newId() } }),
  ...(node.content && { content: node.content.map((child) => withNewIds(child, newId)) }),
});
