import type { Person } from "@svc/live/frames";
import { LiveSession, type Socket } from "@svc/live/session";
import { documentKit } from "@svc/tiptap-kit/kit";
import { Editor, Extension } from "@tiptap/core";
import { agentMarks } from "../editor/agent-marks.ts";
import { Binding } from "../editor/binding.ts";
import { PromptCaret } from "../editor/caret.ts";
import { Carets, colourOf, placeOf, showCarets } from "../editor/carets.ts";
import { loadMarkdown } from "../editor/clipboard.ts";
import { featuresOf } from "../editor/features.ts";
import { BlockIds } from "../editor/ids.ts";
import { readJournal, removeJournal, writeJournal } from "../editor/journal.ts";
import { newBlockId } from "../editor/new-id.ts";
import { offerCopy } from "../editor/offer-copy.ts";
import { saveStateText } from "../editor/save-state.ts";
import { startSuggesting } from "../editor/suggest/start.ts";
import { bindToolbar } from "../editor/toolbar.ts";
import { at } from "./shell/base-path.ts";
import { toast } from "./shell/toast.ts";

/** While something is not stored, the device keeps it no more often than that. */
const JOURNAL_MS = 500;

const root = document.querySelector<HTMLElement>("[data-live-editor]");
if (root) void (root.dataset.mode === "suggest" ? startSuggesting(root) : start(root));

async function start(root: HTMLElement): Promise<void> {
  const { documentId = "", userId = "", title = "" } = root.dataset;
  const part = (name: string) => document.querySelector<HTMLElement>(`[data-editor-part="${name}"]`)!;
  const address = at(`/documents/${documentId}/live`);
  const journalKey = `${userId}:${documentId}`;
  const features = featuresOf(documentId);
  const agents = agentMarks();
  let binding: Binding | undefined;
  let people: readonly Person[] = [];

  const surface = document.createElement("div");
  const editor = new Editor({
    element: surface,
    injectCSS: false,
    editable: false,
    extensions: [
      ...documentKit(),
      BlockIds,
      Carets,
      PromptCaret,
      agents.extension,
      ...features.extensions,
      Extension.create({
        name: "liveUndo",
        addKeyboardShortcuts: () => ({
          "Mod-z": () => binding?.undo() ?? false,
          "Mod-y": () => binding?.redo() ?? false,
          "Shift-Mod-z": () => binding?.redo() ?? false,
        }),
      }),
    ],
    editorProps: { attributes: { class: "prose", role: "textbox", "aria-multiline": "true", "aria-label": title } },
  });

  const showPeople = () => {
    part("people").replaceChildren(...namesOf(people, session.connection));
    if (binding) showCarets(editor.view, people, session.connection);
  };
  const session = new LiveSession({
    newId: newBlockId,
    journal: await readJournal(journalKey),
    fetchState: async (epoch) => {
      const answer = await fetch(`${address}/state${epoch ? `?epoch=${epoch}` : ""}`);
      if (!answer.ok) throw new Error(`The document could not be loaded (${answer.status}).`);
      return new Uint8Array(await answer.arrayBuffer());
    },
    openSocket: (query) =>
      new WebSocket(`${location.origin.replace(/^http/, "ws")}${address}/socket?${query}`) as unknown as Socket,
    onState: (live) => {
      binding?.destroy();
      binding = new Binding(editor, live);
    },
    onStatus: (status) => {
      part("status").textContent = saveStateText(status);
      part("status").dataset.state = status.kind;
      if (editor.isEditable !== session.mayWrite) editor.setEditable(session.mayWrite, false);
      offerCopy(part("kept"), status, () => session.live.blocks);
      keepJournal();
    },
    onRow: agents.rowComes,
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
  root.replaceChildren(surface);
  part("toolbar").hidden = false;
  bindToolbar(part("toolbar"), editor, () => binding);
  features.bind(editor, part);
  agents.bind(editor, documentId, part("news"));
  void loadMarkdown().then(() => root.toggleAttribute("data-ready", true));
  editor.on("selectionUpdate", () => {
    const place = placeOf(editor.view);
    session.tellPlace(editor.isFocused ? place : null);
  });
}

/** Everybody else, each person once. */
function namesOf(people: readonly Person[], own: string): HTMLElement[] {
  const others = new Map(
    people.filter(({ connection }) => connection !== own).map((person) => [person.user_id, person]),
  );
  return [...others.values()].map(({ user_id, name }) => {
    const item = document.createElement("li");
    item.className = `person caret-${colourOf(user_id)}`;
    item.textContent = name;
    return item;
  });
}
