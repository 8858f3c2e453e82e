import type { Person } from "@svc/live/frames";
import type { LiveState } from "@svc/live/live-state";
import { LiveSession, type SessionStatus, type Socket } from "@svc/live/session";
import { at } from "../islands/common/base-path.ts";
import { toast } from "../islands/common/toast.ts";
import { Avatars } from "./avatars.ts";
import { openJournal } from "./journal.ts";
import { newBlockId } from "./new-id.ts";
import { type Present, withColours } from "./person-colour.ts";
import { saveStateText } from "./save-state.ts";

/** Min interval in which the device saves unsent edits. */
const JOURNAL_MS = 500;

/** A page that edits a live document: its elements and its callbacks. */
interface LivePage {
  readonly documentId: string;
  readonly userId: string;
  /** Whether words in a line that others removed get a line of their own; true by default. */
  readonly makesLines?: boolean;
  readonly part: (name: "people" | "status") => HTMLElement;
  /** The live state was rebuilt: switch to this one. */
  readonly onState: (live: LiveState) => void;
  readonly onStatus: (status: SessionStatus, session: LiveSession) => void;
  /** The current carets of others. */
  readonly onOthers: (others: readonly Present[]) => void;
  readonly onRow?: (connection: string) => void;
  /** Shows the block with somebody's caret. */
  readonly goTo?: (block: string) => void;
}

/** Joins the document, shows who else is there and the save state, and keeps unsaved edits on the device. */
export async function openSession(page: LivePage): Promise<LiveSession> {
  const { documentId, part } = page;
  const address = at(`/documents/${documentId}/live`);
  let people: readonly Person[] = [];
  const fetchState = async (query = ""): Promise<Uint8Array> => {
    const answer = await fetch(`${address}/state${query}`);
    if (!answer.ok) throw new Error(`The document could not be loaded (${answer.status}).`);
    return new Uint8Array(await answer.arrayBuffer());
  };
  // The page has already requested it (`preload`). A tab with a journal asks again, for the rest of its own epoch.
  let first: Promise<Uint8Array> | undefined = fetchState();
  first.catch(() => undefined);
  const journal = await openJournal(`${page.userId}:${documentId}`);

  const avatars = new Avatars(part("people"), documentId, page.goTo);
  const showPeople = (now: readonly Person[]): void => {
    people = now;
    const others = withColours(people).filter(({ connection }) => connection !== session.connection);
    avatars.show(others);
    page.onOthers(others);
  };
  const session = new LiveSession({
    newId: newBlockId,
    makesLines: page.makesLines,
    journal: journal.found,
    fetchState: (epoch) => {
      const made = epoch === undefined && first ? first : fetchState(epoch && `?epoch=${epoch}`);
      first = undefined;
      return made;
    },
    openSocket: (query): Socket => new WebSocket(`${location.origin.replace(/^http/, "ws")}${address}/socket?${query}`),
    onState: page.onState,
    onStatus: (status) => {
      part("status").textContent = saveStateText(status);
      part("status").dataset.state = status.kind;
      page.onStatus(status, session);
      keepJournal();
      if (session.mayWrite) takeOthers();
    },
    ...(page.onRow && { onRow: page.onRow }),
    onNotice: (message) => toast(message),
    onPeople: showPeople,
    onCaret: (connection, place) =>
      showPeople(people.map((person) => (person.connection === connection ? { ...person, place } : person))),
  });

  let isWaiting = false;
  let isKept = journal.found !== undefined;
  function keepJournal(): void {
    if (isWaiting || session.isMerging || (session.isStored && !isKept)) return;
    isWaiting = true;
    // Saves the whole text, less often for a long one.
    const pause = JOURNAL_MS * Math.max(1, session.live.order.length / 1500);
    setTimeout(() => {
      isWaiting = false;
      if (session.isMerging) return;
      isKept = !session.isStored;
      void (isKept ? journal.write(session.toJournal()) : journal.remove());
    }, pause);
  }

  addEventListener("beforeunload", (event) => {
    session.flush();
    if (!session.isStored) event.preventDefault();
  });
  addEventListener("offline", () => session.loseNetwork());
  addEventListener("online", () => session.findNetwork());
  let isTaken = false;
  function takeOthers(): void {
    if (isTaken || session.isMerging) return;
    isTaken = true;
    // Not while the session is reporting its state.
    setTimeout(() => {
      void journal.others((left) => {
        session.makeAgain(left);
        return journal.write(session.toJournal());
      });
    });
  }

  await session.start();
  keepJournal();
  return session;
}
