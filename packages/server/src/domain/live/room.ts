import { DocumentError } from "@svc/document/errors";
import { addClocks, checkUpdate } from "@svc/live/check-update";
import { type Caret, CLOSE, packFrame, type RowHeader, type ServerMessage } from "@svc/live/frames";
import { findBody } from "../../bodies/load-body.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import type { LiveUpdateRow } from "../../db/schema/tables/live.ts";
import { ApiError } from "../../errors.ts";
import type { Services } from "../../services.ts";
import { appendUpdates, EpochEnded } from "./append.ts";
import { endEpoch } from "./epochs.ts";
import type { LiveFigures } from "./figures.ts";
import type { LoadedStates } from "./loaded.ts";
import { rightOf } from "./may-edit.ts";
import type { Member } from "./member.ts";
import { caretFrom, listPeople, noticeFrom, putPerson } from "./people.ts";
import { findHead, findLive, type LiveHead, listUpdates, lockLive } from "./queries.ts";
import { HOLD_MS, reconcileNow } from "./reconcile.ts";

/** An update after a pause is stored at once; those within this many milliseconds share a commit. */
const GATHER_MS = 25;
/** Delay after the first unfolded update; during steady typing, folds are further apart. */
const FOLD_AFTER_MS = 400;
const FOLD_EVERY_MS = 1000;
/** Folds begin together at these moments, so that they can share commits. */
const FOLD_TICK_MS = 100;
const nextTick = (at: number): number => Math.ceil(at / FOLD_TICK_MS) * FOLD_TICK_MS;
/** Delay after another writer changed the body. */
const MERGE_AFTER_MS = 15;
/** After this many failed folds for an unknown reason, the live state is recreated from the body. */
const MAX_FAILURES = 3;

interface Pending {
  readonly member: Member;
  readonly n: number;
  readonly place: Caret | null;
  readonly payload: Uint8Array;
}

interface RoomOptions {
  readonly app: Services;
  readonly key: DocumentKey;
  /** Id of this process. */
  readonly holder: string;
  readonly loaded: LoadedStates;
  readonly figures: LiveFigures;
  /** Ends an epoch whose rows cannot be continued. */
  readonly beginAnew: (key: DocumentKey, epoch: string) => Promise<void>;
  /** Called when the last member has left. */
  readonly emptied: (room: Room) => void;
}

/** A live document in this process: the connected editors and the latest updates. */
export class Room {
  readonly key: DocumentKey;
  readonly members = new Set<Member>();
  readonly #options: RoomOptions;
  /** How far each client's updates are stored. */
  readonly #clocks = new Map<number, number>();
  /** Rows of this process that are not stored or acknowledged yet, with the member that sent them and its number. */
  readonly #own = new Map<number, { readonly member: Member; readonly n: number }>();
  /** Accepts no more members. */
  isEnded = false;
  epoch = "";
  /** Everything up to this row was sent to the members that are up to date. */
  position = 0;
  foldedSeq = 0;
  foldedVersion = "";
  /** Its fingerprints when it was last read (`change-fingerprints.ts`). */
  fingerprints = { head: "", people: "" };
  /** When the oldest change that is not in the body was made. */
  unfoldedSince: number | null = null;
  #people = "[]";
  #pending: Pending[] = [];
  #flushing: Promise<void> | undefined;
  #flushedAt = 0;
  #reading: Promise<void> | undefined;
  #unread = false;
  #foldTimer: NodeJS.Timeout | undefined;
  #foldDue = 0;
  #lastFold = 0;
  #failures = 0;
  /** Why the body refuses the typed text; the rows are kept. */
  refusal: { readonly code: string; readonly message: string } | undefined;

  constructor(options: RoomOptions) {
    this.key = options.key;
    this.#options = options;
  }

  /** Loads the document's position, once, before the first member joins. */
  async start(): Promise<void> {
    const row = await findLive(this.#db, this.key);
    if (!row) throw new EpochEnded();
    this.epoch = row.epoch;
    addClocks(this.#clocks, row.state);
    this.position = row.state_seq;
    this.foldedSeq = row.folded_seq;
    this.foldedVersion = row.folded_version;
    await this.read();
  }

  get #db() {
    return this.#options.app.database.read;
  }

  /** Sends a member all rows that it lacks, and from then on every new one. */
  async join(member: Member): Promise<void> {
    member.clock = this.#clocks.get(member.client) ?? 0;
    this.members.add(member);
    while (!member.isClosed && member.position < this.position) {
      const upTo = this.position;
      const rows = await listUpdates(this.#db, { ...this.key, epoch: this.epoch, after: member.position, upTo });
      if (rows[0] === undefined || rows[0].seq !== member.position + 1)
        return member.close(CLOSE.epoch, "rows are gone");
      for (const row of rows) member.give(row.seq, frameOf(row));
    }
    member.isLive = true;
    // Members still catching up missed folds since the greeting; send the state again.
    member.send({ type: "saved", seq: this.foldedSeq, version: this.foldedVersion });
    member.send({ type: "people", people: JSON.parse(this.#people) });
    if (this.refusal) member.send({ type: "refused", ...this.refusal });
  }

  leave(member: Member): void {
    this.members.delete(member);
    if (this.members.size === 0) void this.#finish();
  }

  /** Folds the last member's text at once, because nobody is left here to do it later. */
  async #finish(): Promise<void> {
    clearTimeout(this.#foldTimer);
    this.#foldTimer = undefined;
    await this.stored();
    if (this.members.size === 0 && !this.isEnded && this.unfoldedSince !== null) await this.fold();
    if (this.members.size > 0) return;
    clearTimeout(this.#foldTimer);
    this.#options.emptied(this);
  }

  /** Resolves when everything received so far is stored. */
  async stored(): Promise<void> {
    await this.#flushing;
  }

  /** Validates an update and queues it; others receive it only once it is stored. */
  receive(member: Member, n: number, place: Caret | null, payload: Uint8Array): void {
    const { end, onlyAdds } = checkUpdate(payload, member.client, member.clock, this.#clocks);
    if (this.refusal?.code === "document_too_large" && payload.length > 1024)
      member.close(CLOSE.tooLong, "the document is too long");
    else if (onlyAdds && end <= (this.#clocks.get(member.client) ?? 0))
      member.send({ type: "stored", n, seq: this.position });
    else {
      member.clock = Math.max(member.clock, end);
      this.#pending.push({ member, n, place, payload: new Uint8Array(payload) });
      this.#flushing ??= this.#flushSoon();
    }
  }

  async #flushSoon(): Promise<void> {
    const waitMs = this.#flushedAt + GATHER_MS - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    // Measured from the start, because updates are gathered while a flush runs.
    this.#flushedAt = performance.now();
    try {
      while (this.#pending.length > 0) await this.#flush();
    } finally {
      this.#flushing = undefined;
    }
  }

  async #flush(): Promise<void> {
    const batch = await this.#allowed(this.#pending.splice(0));
    if (batch.length === 0) return;
    try {
      const first = await appendUpdates(
        this.#options.app,
        this.key,
        this.epoch,
        batch.map(({ member, place, payload }) => ({
          payload,
          client: member.client,
          connection: member.connection,
          user_id: member.userId,
          place: place ? JSON.stringify(place) : "",
        })),
      );
      this.#options.figures.updates += batch.length;
      for (const [i, { member, n }] of batch.entries()) this.#stored(first + i, member, n);
    } catch (error) {
      // The tabs keep unstored updates and send them again when they reconnect.
      if (!(error instanceof EpochEnded)) this.#warn(error, "live updates could not be stored");
      this.isEnded = true;
      const code = error instanceof EpochEnded ? CLOSE.epoch : CLOSE.restart;
      for (const member of this.members) member.close(code, "not stored");
      return;
    }
    // The updates are stored. If reading fails now, the next pass reads and acknowledges them.
    await this.read().catch((error) => this.#warn(error, "a live document could not be read"));
  }

  /**
   * Acknowledges a row when it is read. A read may already have passed it if it saw the commit before this process did.
   */
  #stored(seq: number, member: Member, n: number): void {
    if (seq <= this.position) member.send({ type: "stored", n, seq });
    else this.#own.set(seq, { member, n });
  }

  /**
   * Checks rights for every batch, so that an editor who lost them stops writing. An editor who left sends the updates
   * again.
   */
  async #allowed(batch: readonly Pending[]): Promise<Pending[]> {
    const members = new Set(batch.map(({ member }) => member));
    for (const member of members) await this.checkRight(member);
    return batch.filter(({ member }) => !member.isClosed);
  }

  /** Closes the sockets of editors who may no longer read the document. */
  async checkRight(member: Member): Promise<void> {
    const right = await rightOf(this.#db, member, this.key).catch(() => member.right);
    if (right === undefined) member.close(CLOSE.signedOut, "signed out");
    else if (right === "none") member.close(CLOSE.notAllowed, "no access");
    else if (right !== member.right) member.close(CLOSE.notAllowed, "the role has changed");
  }

  /** Reads new rows and sends them on. A call during a read causes another round. */
  read(): Promise<void> {
    this.#unread = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#unread) {
      this.#unread = false;
      const head = await findHead(this.#db, this.key);
      if (head?.epoch !== this.epoch) return this.#end();
      if (head.last_seq < this.position) return this.#putBack();
      this.unfoldedSince = head.unfolded_since;
      await this.#readRows(head.last_seq);
      await this.#readPeople();
      if (head.folded_seq !== this.foldedSeq || head.folded_version !== this.foldedVersion) this.#sendSaved(head);
      this.#planFold(head);
    }
  }

  async #readRows(upTo: number): Promise<void> {
    if (upTo <= this.position) return;
    const rows = await listUpdates(this.#db, { ...this.key, epoch: this.epoch, after: this.position, upTo });
    for (const row of rows) {
      addClocks(this.#clocks, row.payload);
      this.position = row.seq;
      this.#hand(row);
    }
  }

  /** Acknowledges the update to its sender and sends it to the others. */
  #hand(row: LiveUpdateRow): void {
    const own = this.#own.get(row.seq);
    this.#own.delete(row.seq);
    const frame = frameOf(row);
    for (const member of this.members) {
      if (!member.isLive) continue;
      if (own?.member === member) {
        member.position = row.seq;
        member.send({ type: "stored", n: own.n, seq: row.seq });
      } else member.give(row.seq, frame);
    }
    if (own && !own.member.isLive) own.member.send({ type: "stored", n: own.n, seq: row.seq });
  }

  async #readPeople(): Promise<void> {
    const people = await listPeople(this.#db, this.key);
    const text = JSON.stringify(people);
    if (text === this.#people) return;
    this.#people = text;
    this.#broadcast({ type: "people", people });
  }

  #sendSaved({ folded_seq: seq, folded_version: version }: Pick<LiveHead, "folded_seq" | "folded_version">): void {
    this.foldedSeq = seq;
    this.foldedVersion = version;
    this.refusal = undefined;
    this.#broadcast({ type: "saved", seq, version });
  }

  #broadcast(message: ServerMessage): void {
    for (const member of this.members) if (member.isLive) member.send(message);
  }

  /** Rows that were sent no longer exist: an earlier store was restored, and its history diverges. */
  async #putBack(): Promise<void> {
    await this.#end();
    await this.#options.beginAnew(this.key, this.epoch);
  }

  /** Called when the document was deleted or its live state was recreated. */
  async #end(): Promise<void> {
    this.isEnded = true;
    const isThere = (await findBody(this.#db, this.key)) !== undefined;
    const [code, reason] = isThere ? ([CLOSE.epoch, "made anew"] as const) : ([CLOSE.gone, "gone"] as const);
    for (const member of [...this.members]) member.close(code, reason);
  }

  #planFold(head: LiveHead): void {
    const isTyped = head.folded_seq < head.last_seq;
    const isWritten = head.version !== head.folded_version;
    if (!isTyped && !isWritten) return;
    const now = Date.now();
    // No lease is longer than that; if one seems to be, the clock was put back since.
    const isHeld = head.holder_until > now && head.holder_until <= now + 2 * HOLD_MS;
    const isOthers = isHeld && head.holder !== this.#options.holder;
    const wanted = isOthers
      ? head.holder_until + Math.random() * 200
      : isWritten
        ? now + MERGE_AFTER_MS
        : nextTick(Math.max(now + FOLD_AFTER_MS, this.#lastFold + FOLD_EVERY_MS));
    if (this.#foldTimer && this.#foldDue <= wanted) return;
    clearTimeout(this.#foldTimer);
    this.#foldDue = wanted;
    this.#foldTimer = setTimeout(() => void this.fold(), Math.max(0, wanted - now));
  }

  /** Folds now; every member receives the result. */
  async fold(): Promise<void> {
    clearTimeout(this.#foldTimer);
    this.#foldTimer = undefined;
    this.#lastFold = Date.now();
    const { app, holder, loaded, figures } = this.#options;
    try {
      await figures.timeFold(() => reconcileNow(app, this.key, { holder, loaded }));
      this.#failures = 0;
    } catch (error) {
      await this.#foldFailed(error);
    }
    await this.read().catch((error) => this.#warn(error, "a live document could not be read"));
  }

  async #foldFailed(error: unknown): Promise<void> {
    if (error instanceof DocumentError || error instanceof ApiError) {
      if (error.code === "not_found") return;
      this.refusal = { code: error.code, message: error.message };
      this.#broadcast({ type: "refused", ...this.refusal });
      return;
    }
    this.#warn(error, "a live document could not be folded");
    if (++this.#failures >= MAX_FAILURES && !isDatabase(error)) await this.#makeAnew();
  }

  /** Drops a state that cannot be folded; open tabs reconnect with their text. */
  async #makeAnew(): Promise<void> {
    this.#failures = 0;
    await this.#options.app.database
      .transaction(async (tx) => {
        const row = await lockLive(tx, this.key);
        if (row?.epoch === this.epoch) await endEpoch(tx, this.key, row);
      })
      .catch((error) => this.#warn(error, "a live state could not be dropped"));
  }

  /** Sends a member's caret, unless it typed there: then the row contains it. */
  async sendCaret(member: Member): Promise<void> {
    const { connection, userId, since, place } = member;
    await this.#options.app.database.transaction((tx) =>
      putPerson(tx, this.key, { connection, userId, since, place: place ? JSON.stringify(place) : "" }),
    );
  }

  /** Waits for pending work and starts nothing more. */
  async settle(): Promise<void> {
    await this.#flushing;
    await this.#reading?.catch(() => undefined);
    this.isEnded = true;
    clearTimeout(this.#foldTimer);
  }

  #warn(error: unknown, message: string): void {
    this.#options.app.log.warn({ err: error, document_id: this.key.documentId }, message);
  }
}

const isDatabase = (error: unknown): boolean => error instanceof Error && error.name === "DatabaseUnavailable";

const frameOf = ({ seq, connection, place, payload }: LiveUpdateRow): Uint8Array =>
  packFrame({ seq, connection, place: caretFrom(place), notice: noticeFrom(place) } satisfies RowHeader, payload);
