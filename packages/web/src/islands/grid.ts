import { defined } from "@svc/document/defined";
import type { Person } from "@svc/live/frames";
import { LiveSession } from "@svc/live/session";
import { readJournal, removeJournal, writeJournal } from "../editor/journal.ts";
import { newBlockId } from "../editor/new-id.ts";
import { saveStateText } from "../editor/save-state.ts";
import { Controls } from "../grid/controls.ts";
import { bindFiles } from "../grid/files.ts";
import { Grid } from "../grid/grid.ts";
import { personColour } from "../grid/person-colour.ts";
import { at } from "./shell/base-path.ts";
import { toast } from "./shell/toast.ts";

/** While something is not stored, the device keeps it no more often than that. */
const JOURNAL_MS = 500;

const root = document.querySelector<HTMLElement>("[data-live-grid]");
if (root) void start(root);

async function start(root: HTMLElement): Promise<void> {
  const { documentId = "", userId = "", title = "" } = root.dataset;
  const part = (name: string) => defined(document.querySelector<HTMLElement>(`[data-grid-part="${name}"]`));
  const address = at(`/documents/${documentId}/live`);
  const journalKey = `${userId}:${documentId}`;
  let grid: Grid | undefined;
  let controls: Controls | undefined;
  let people: readonly Person[] = [];

  const session = new LiveSession({
    newId: newBlockId,
    journal: await readJournal(journalKey),
    fetchState: async (epoch) => {
      const answer = await fetch(`${address}/state${epoch ? `?epoch=${epoch}` : ""}`);
      if (!answer.ok) throw new Error(`The spreadsheet could not be loaded (${answer.status}).`);
      return new Uint8Array(await answer.arrayBuffer());
    },
    openSocket: (query) => new WebSocket(`${location.origin.replace(/^http/, "ws")}${address}/socket?${query}`),
    onState: (live) => grid?.follow(live),
    onStatus: (status) => {
      part("status").textContent = saveStateText(status);
      part("status").dataset.state = status.kind;
      part("toolbar").hidden = !session.mayWrite;
      keepJournal();
    },
    onNotice: (message) => toast(message),
    onPeople: (now) => {
      people = now;
      showPeople();
    },
    onPlace: (connection, place) => {
      people = people.map((person) => (person.connection === connection ? { ...person, place } : person));
      showPeople();
    },
  });

  function showPeople(): void {
    const others = people.filter(({ connection }) => connection !== session.connection);
    part("people").replaceChildren(...namesOf(others));
    if (!grid) return;
    // A cell is told as the table's id, its row and its column.
    const here = others.flatMap(({ name, user_id, place }) =>
      place?.block_id === grid?.model.tableId && place
        ? { name, colour: personColour(user_id), row: place.anchor, column: place.head }
        : [],
    );
    grid.people = here;
  }

  let isWaiting = false;
  let isKept = false;
  function keepJournal(): void {
    if (isWaiting || (session.isStored && !isKept)) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      isKept = !session.isStored;
      void (isKept ? writeJournal(journalKey, session.toJournal()) : removeJournal(journalKey));
    }, JOURNAL_MS);
  }

  addEventListener("beforeunload", (event) => {
    if (!session.isStored) event.preventDefault();
  });
  await session.start();
  await removeJournal(journalKey);
  const host = document.createElement("div");
  host.className = "grid";
  host.tabIndex = 0;
  host.setAttribute("role", "grid");
  host.setAttribute("aria-label", title);
  host.setAttribute("aria-multiselectable", "true");
  root.replaceChildren(host);
  part("cell").hidden = false;
  grid = new Grid(host, session.live, {
    mayWrite: () => session.mayWrite,
    onShow: () => {
      controls?.show();
      const block_id = grid?.model.tableId;
      if (!grid || block_id === undefined) return;
      const { row, column } = grid.selection.anchor;
      const { place } = session;
      if (place?.block_id !== block_id || place.anchor !== row || place.head !== column)
        session.tellPlace({ block_id, anchor: row, head: column });
    },
  });
  controls = new Controls(grid, part);
  bindFiles(part("files"), documentId);
  showPeople();
  root.toggleAttribute("data-ready", true);
}

/** Everybody else, each person once. */
function namesOf(others: readonly Person[]): HTMLElement[] {
  return [...new Map(others.map((person) => [person.user_id, person])).values()].map(({ user_id, name }) => {
    const item = document.createElement("li");
    item.className = `person caret-${personColour(user_id)}`;
    item.textContent = name;
    return item;
  });
}
