import { createHmac, timingSafeEqual } from "node:crypto";
import { DocumentError } from "@svc/document/errors";
import { isRecord, isSafeInteger } from "@svc/document/guards";
import { BadUpdate } from "@svc/live/check-update";
import { CLOSE, readCaret, unpackFrame } from "@svc/live/frames";
import { ENCODING } from "@svc/live/live-state";
import type { RawData } from "ws";
import { Loop } from "../../background/loop.ts";
import { DatabaseUnavailable } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import { ApiError } from "../../errors.ts";
import { workspaceOf } from "../../events/topic.ts";
import { recordAudit } from "../../http/audit.ts";
import { BROWSER } from "../../http/callers/caller.ts";
import { newId } from "../../ids.ts";
import type { Joining, LiveDocuments, Reconciled } from "../../services/live-documents.ts";
import type { Services } from "../../services.ts";
import { ulid } from "../../ulid.ts";
import { EpochEnded, takeClient } from "./append.ts";
import { readHeadFingerprints, readPeopleFingerprints } from "./change-fingerprints.ts";
import { endEpoch } from "./epochs.ts";
import { LiveFigures } from "./figures.ts";
import { LoadedStates } from "./loaded.ts";
import { openLive } from "./make-state.ts";
import { rightOf } from "./may-edit.ts";
import { Member } from "./member.ts";
import { putPerson, RENEW_PEOPLE_MS, removePeople } from "./people.ts";
import { findHead, LIVE_TOPIC, lockLive } from "./queries.ts";
import { reconcileNow } from "./reconcile.ts";
import { Room } from "./room.ts";
import { hasSeat } from "./seats.ts";

/** Fallback for missed wake-ups: the longest delay before something new is noticed. */
const LOOK_MS = 1000;
const CHECK_RIGHTS_MS = 5000;
const PING_MS = 30_000;
/** Minimum interval between messages for a caret that moves without typing. */
const CARET_MS = 300;
/** Limit of sockets per session in this process; `seats.ts` limits those of a document. */
const MAX_OF_SESSION = 20;
/** Limit of frames per socket and second; a pause accumulates an allowance for a few seconds. */
const FRAMES_PER_SECOND = 40;
const SAVED_UP_FRAMES = 200;

const EVERYWHERE = "";

/** All live documents of this process. */
export class LiveHub implements LiveDocuments {
  readonly #app: Services;
  readonly #holder = newId("proc");
  readonly loaded = new LoadedStates();
  readonly figures = new LiveFigures();
  readonly #rooms = new Map<string, Promise<Room>>();
  readonly #sessions = new Map<string, number>();
  #stopClockwork: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  /** Workspaces whose documents may have news; `EVERYWHERE` stands for all. */
  readonly #newsDue = new Set<string>();
  /** When the list of people was last read. */
  #peopleAt = 0;
  #closed = false;

  constructor(app: Services) {
    this.#app = app;
  }

  get sockets(): number {
    return [...this.#sessions.values()].reduce((sum, count) => sum + count, 0);
  }

  get documents(): number {
    return this.#rooms.size;
  }

  /** Age in seconds of the oldest change, visible to editors of this process, that is not in the body. */
  async oldestUnfolded(now = Date.now()): Promise<number> {
    const since = (await this.#all()).flatMap(({ unfoldedSince }) => unfoldedSince ?? []);
    return since.length === 0 ? 0 : Math.max(0, now - Math.min(...since)) / 1000;
  }

  /** Folds a document's live state into its body now, for a reader that needs the newest text. */
  reconcile(key: DocumentKey): Promise<Reconciled | undefined> {
    const options = { holder: this.#holder, loaded: this.loaded };
    return this.figures.timeFold(() => reconcileNow(this.#app, key, options));
  }

  /** Same for a reader: parts that the body refuses are left out. */
  async bringIn(key: DocumentKey): Promise<void> {
    await this.reconcile(key).catch((error) => {
      if (!(error instanceof DocumentError || error instanceof ApiError)) throw error;
    });
  }

  /**
   * Same, if anything is new: for a page whose reader may have typed it a moment ago. Returns whether anything was new.
   * While the store is read-only, the page is shown without it.
   */
  async bringInNew(key: DocumentKey): Promise<boolean> {
    const room = await this.#rooms.get(key.documentId)?.catch(() => undefined);
    await room?.stored();
    const head = await findHead(this.#app.database.read, key);
    if (!head || head.folded_seq === head.last_seq) return false;
    return this.bringIn(key).then(
      () => true,
      (error) => {
        if (error instanceof DatabaseUnavailable) return false;
        throw error;
      },
    );
  }

  async join(joining: Joining): Promise<void> {
    const { socket, editor } = joining;
    const early: RawData[] = [];
    const keep = (data: RawData) => {
      if (early.push(data) > SAVED_UP_FRAMES) socket.close(CLOSE.tooMany, "too many frames");
    };
    socket.on("message", keep);
    socket.on("error", () => socket.terminate());
    const count = this.#sessions.get(editor.sessionHash) ?? 0;
    if (count >= MAX_OF_SESSION || this.#closed)
      return socket.close(this.#closed ? CLOSE.restart : CLOSE.tooMany, "too many");
    this.#sessions.set(editor.sessionHash, count + 1);
    this.#stopClockwork ??= this.#startClockwork();
    socket.once("close", () => this.#forgetSession(editor.sessionHash));
    try {
      await this.#enter(joining, keep, early);
    } catch (error) {
      this.#app.log.warn({ err: error }, "an editor could not join");
      socket.close(CLOSE.restart, "try again");
    }
  }

  async #enter(joining: Joining, keep: (data: RawData) => void, early: RawData[]): Promise<void> {
    const { socket, editor, key } = joining;
    const right = await rightOf(this.#app.database.read, editor, key);
    if (right === undefined) return socket.close(CLOSE.signedOut, "signed out");
    if (right === "none") return socket.close(CLOSE.notAllowed, "no access");
    const row = await openLive(this.#app, key);
    const room = await this.#roomOf(key);
    if (joining.epoch === room.epoch && joining.seq > room.position) await room.read();
    // The tab knows rows that do not exist: the store was restored from a backup. Its old rows must not be mixed with
    // the current ones.
    const isPutBack = joining.epoch === room.epoch && joining.seq > room.position;
    if (isPutBack) await this.#beginAnew(key, room.epoch);
    if (isPutBack || joining.epoch !== room.epoch || row.encoding !== ENCODING)
      return socket.close(CLOSE.epoch, "another live state");
    if (!hasSeat(room.members, { userId: editor.userId, right })) return socket.close(CLOSE.tooMany, "too many");
    const client = right === "write" ? await this.#clientOf(joining, room.epoch) : 0;
    const member = new Member({ ...editor, socket, connection: ulid(), client, right, position: joining.seq });
    if (member.isClosed) return this.#emptied(room);
    this.#greet(member, room);
    const away = this.#listen(member, room, joining);
    socket.off("message", keep);
    socket.once("close", away);
    await room.join(member);
    for (const data of early) socket.emit("message", data, typeof data !== "string");
    await room.sendCaret(member);
  }

  /** Ends an epoch after storing everything in the body; all its tabs reconnect and merge their text. */
  async #beginAnew(key: DocumentKey, epoch: string): Promise<void> {
    await this.reconcile(key);
    await this.#app.database.transaction(async (tx) => {
      const row = await lockLive(tx, key);
      if (row?.epoch === epoch && row.folded_seq === row.last_seq) await endEpoch(tx, key, row);
    });
  }

  #greet(member: Member, room: Room): void {
    member.send({
      type: "hello",
      connection: member.connection,
      client: member.client,
      resume: this.#proof(room.epoch, member.client, member.userId),
      epoch: room.epoch,
      mayWrite: member.right === "write",
      foldedSeq: room.foldedSeq,
    });
  }

  /** The tab's previous client id, if it proves that it had it; a new one otherwise. */
  async #clientOf({ client, resume, editor, key }: Joining, epoch: string): Promise<number> {
    const expected = Buffer.from(this.#proof(epoch, client, editor.userId));
    const given = Buffer.from(resume);
    const isProven = client > 0 && given.length === expected.length && timingSafeEqual(given, expected);
    return isProven ? client : takeClient(this.#app, key, epoch);
  }

  /**
   * Returns a client id for a tab without a socket, which sends the proof when it connects; undefined if the epoch has
   * ended.
   */
  async giveClient(
    key: DocumentKey,
    epoch: string,
    userId: string,
  ): Promise<{ readonly client: number; readonly resume: string } | undefined> {
    try {
      const client = await takeClient(this.#app, key, epoch);
      return { client, resume: this.#proof(epoch, client, userId) };
    } catch (error) {
      if (error instanceof EpochEnded) return undefined;
      throw error;
    }
  }

  #proof(epoch: string, client: number, userId: string): string {
    return createHmac("sha256", this.#app.secret.current)
      .update(`live:${epoch}:${client}:${userId}`)
      .digest("base64url");
  }

  /** Handles a socket's messages. Returns the cleanup to run when it closes. */
  #listen(member: Member, room: Room, joining: Joining): () => void {
    let allowance = SAVED_UP_FRAMES;
    let at = performance.now();
    let caretTimer: NodeJS.Timeout | undefined;
    let isAudited = false;
    const { socket } = joining;
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (member.isClosed) return;
      const now = performance.now();
      allowance = Math.min(SAVED_UP_FRAMES, allowance + ((now - at) / 1000) * FRAMES_PER_SECOND) - 1;
      at = now;
      if (allowance < 0) return member.close(CLOSE.tooMany, "too many frames");
      if (!isBinary) {
        const place = caretIn(data);
        if (place === undefined) return member.close(CLOSE.garbage, "not a message");
        member.place = place;
        caretTimer ??= setTimeout(() => {
          caretTimer = undefined;
          if (!member.isClosed) room.sendCaret(member).catch(() => undefined);
        }, CARET_MS);
        return;
      }
      this.#takeUpdate(member, room, data);
      if (isAudited || member.isClosed) return;
      isAudited = true;
      this.#audit(member, joining);
    });
    return () => {
      clearTimeout(caretTimer);
      room.leave(member);
      this.#app.database
        .transaction((tx) => removePeople(tx, room.key, [member.connection]))
        .catch((error) => this.#app.log.warn({ err: error }, "an editor who left is still shown"));
    };
  }

  #takeUpdate(member: Member, room: Room, data: RawData): void {
    const frame = unpackFrame(bytesOf(data));
    const { n, place }: Record<string, unknown> = isRecord(frame?.header) ? frame.header : {};
    try {
      if (member.right !== "write" || frame?.parts.length !== 1 || !isSafeInteger(n))
        throw new BadUpdate("not an update");
      member.place = readCaret(place);
      room.receive(member, n, member.place, frame.parts[0]!);
    } catch (error) {
      if (!(error instanceof BadUpdate)) throw error;
      member.close(CLOSE.garbage, error.message);
    }
  }

  /** Logs one line for each connection that writes. */
  #audit({ workspaceId, userId }: Member, { requestId, path }: Joining): void {
    this.#app.database
      .transaction((tx) =>
        recordAudit(
          tx,
          { workspaceId, userId, tokenId: null },
          { id: requestId, path, client: BROWSER },
          { action: "edit_live", status: 200 },
        ),
      )
      .catch((error) => this.#app.log.warn({ err: error }, "an editing session is not in the audit log"));
  }

  async #roomOf(key: DocumentKey): Promise<Room> {
    const known = await this.#rooms.get(key.documentId)?.catch(() => undefined);
    if (known && !known.isEnded) return known;
    const making = this.#makeRoom(key);
    const current = this.#rooms.get(key.documentId);
    const beaten = current && (await current.catch(() => undefined));
    if (beaten && !beaten.isEnded) return beaten;
    this.#rooms.set(key.documentId, making);
    return making;
  }

  async #makeRoom(key: DocumentKey): Promise<Room> {
    const room = new Room({
      app: this.#app,
      key,
      holder: this.#holder,
      loaded: this.loaded,
      figures: this.figures,
      beginAnew: (key, epoch) => this.#beginAnew(key, epoch),
      emptied: (empty) => this.#emptied(empty),
    });
    await room.start();
    return room;
  }

  #emptied(room: Room): void {
    const { documentId } = room.key;
    const current = this.#rooms.get(documentId);
    void current?.then(
      (known) => {
        if (known === room && room.members.size === 0 && this.#rooms.get(documentId) === current)
          this.#rooms.delete(documentId);
      },
      () => this.#rooms.delete(documentId),
    );
  }

  #forgetSession(hash: string): void {
    const left = (this.#sessions.get(hash) ?? 1) - 1;
    if (left > 0) this.#sessions.set(hash, left);
    else this.#sessions.delete(hash);
    if (this.#sessions.size > 0) return;
    this.#stopClockwork?.();
    this.#stopClockwork = undefined;
  }

  /** Runs only while there are sockets. */
  #startClockwork(): () => void {
    const warn = (error: unknown) => this.#app.log.warn({ err: error }, "live documents could not be kept up");
    const stops = [
      this.#app.database.listen((topic) => void this.#wake(topic).catch(warn), { isPrompt: true }),
      new Loop({ round: () => this.#lookEverywhere(), pauseMs: LOOK_MS, failed: warn }).stop,
      new Loop({ round: () => this.#checkRights(), pauseMs: CHECK_RIGHTS_MS, failed: warn }).stop,
      new Loop({ round: () => this.#renewPeople(), pauseMs: RENEW_PEOPLE_MS, failed: warn }).stop,
      new Loop({ round: () => this.#ping(), pauseMs: PING_MS, failed: warn }).stop,
    ];
    return () => {
      for (const stop of stops) void stop();
    };
  }

  async #all(): Promise<Room[]> {
    const rooms = await Promise.all([...this.#rooms.values()].map((room) => room.catch(() => undefined)));
    return rooms.filter((room) => room !== undefined);
  }

  async #wake(topic: string | undefined): Promise<void> {
    // Another process may have changed a body of this workspace, or news were missed.
    const workspaceId = topic === undefined ? undefined : workspaceOf(topic);
    if (topic === undefined || workspaceId !== undefined) return this.#lookForNews(workspaceId);
    const room = await this.#rooms.get(topic.slice(LIVE_TOPIC.length))?.catch(() => undefined);
    await room?.read();
  }

  /** Reads the documents with news, of one workspace or of all: one pass at a time, for all of them together. */
  #lookForNews(workspaceId = EVERYWHERE): Promise<void> {
    this.#newsDue.add(workspaceId);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    while (this.#newsDue.size > 0) {
      const due = new Set(this.#newsDue);
      this.#newsDue.clear();
      const isDue = ({ key }: Room) => due.has(EVERYWHERE) || due.has(key.workspaceId);
      const rooms = (await this.#all()).filter(isDue);
      if (rooms.length === 0) continue;
      const keys = rooms.map(({ key }) => key);
      const db = this.#app.database.read;
      const heads = await readHeadFingerprints(db, keys);
      const isPeopleDue = performance.now() - this.#peopleAt > CARET_MS;
      if (isPeopleDue) this.#peopleAt = performance.now();
      const people = isPeopleDue ? await readPeopleFingerprints(db, keys) : undefined;
      for (const room of rooms) {
        const { documentId } = room.key;
        const head = heads.get(documentId) ?? "";
        const present = people ? (people.get(documentId) ?? "") : room.fingerprints.people;
        if (room.fingerprints.head === head && room.fingerprints.people === present) continue;
        await room.read();
        room.fingerprints = { head, people: present };
      }
    }
  }

  /** A document that cannot be read does not keep the others from being read. */
  async #lookEverywhere(): Promise<void> {
    const failed: unknown[] = [];
    for (const room of await this.#all()) await room.read().catch((error) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  }

  async #checkRights(): Promise<void> {
    for (const room of await this.#all()) for (const member of room.members) await room.checkRight(member);
  }

  async #renewPeople(): Promise<void> {
    for (const room of await this.#all())
      await this.#app.database.transaction(async (tx) => {
        for (const { connection, userId, since, place } of room.members)
          await putPerson(tx, room.key, { connection, userId, since, place: place ? JSON.stringify(place) : "" });
      });
  }

  async #ping(): Promise<void> {
    for (const room of await this.#all()) for (const member of room.members) member.ping();
  }

  /** Closes every socket; the tabs reconnect by themselves. */
  async dropSockets(): Promise<void> {
    for (const room of await this.#all())
      for (const member of [...room.members]) member.close(CLOSE.restart, "come back");
  }

  /** Closes every socket so that its tab reconnects, elsewhere or later. Stores received updates first. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopClockwork?.();
    await Promise.all((await this.#all()).map((room) => room.settle()));
    await this.dropSockets();
  }
}

const bytesOf = (data: RawData): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data;

/** The caret in a text message; undefined for any other message. */
function caretIn(data: RawData): ReturnType<typeof readCaret> | undefined {
  try {
    const message: unknown = JSON.parse(Buffer.from(bytesOf(data)).toString());
    if (!isRecord(message)) return undefined;
    const { type, place } = message;
    return type === "place" ? readCaret(place) : undefined;
  } catch {
    return undefined;
  }
}
