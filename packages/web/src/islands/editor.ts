import type { Person } from "@svc/live/frames";
import { documentKit } from "@svc/tiptap-kit/kit";
import { Editor, Extension } from "@tiptap/core";
import { Binding } from "../editor/binding/binding.ts";
import { PromptCaret } from "../editor/binding/caret.ts";
import { BlockIds } from "../editor/binding/ids.ts";
import { loadMarkdown } from "../editor/clipboard/clipboard.ts";
import { bindContents } from "../editor/contents.ts";
import { featuresOf } from "../editor/features.ts";
import { agentMarks } from "../editor/marks/agent-marks.ts";
import { Carets, placeOf, showCarets } from "../editor/marks/carets.ts";
import { offerCopy } from "../editor/offer-copy.ts";
import { partKeys } from "../editor/part/part-keys.ts";
import { PartView } from "../editor/part/part-view.ts";
import { linkedBlock, readingSight } from "../editor/part/reading-sight.ts";
import { setWhole } from "../editor/part/whole-document.ts";
import { classOfText, scrollRoom } from "../editor/stage.ts";
import { startSuggesting } from "../editor/suggest/start.ts";
import { bindToolbar } from "../editor/toolbar.ts";
import { openSession } from "../live-page/open-session.ts";

const root = document.querySelector<HTMLElement>("[data-live-editor]");
if (root) void (root.dataset.mode === "suggest" ? startSuggesting(root) : start(root));

async function start(root: HTMLElement): Promise<void> {
  const { documentId = "", userId = "", title = "" } = root.dataset;
  const area = (name: string) => document.querySelector<HTMLElement>(`[data-editor-part="${name}"]`)!;
  const features = featuresOf(documentId);
  const agents = agentMarks();
  let binding: Binding | undefined;
  let part: PartView | undefined;
  let others: readonly Person[] = [];
  const sight = readingSight(root);

  // Asked for first: state and journal come while the editor is made.
  const opening = openSession({
    documentId,
    userId,
    part: area,
    onState: (live) => {
      const at = binding ? part?.caretBlock : (sight?.id ?? linkedBlock());
      binding?.destroy();
      binding = new Binding(editor, live, at);
      part?.follow(binding);
    },
    onStatus: (status, session) => {
      const { mayWrite } = session;
      if (editor.isEditable !== mayWrite) editor.setEditable(mayWrite, false);
      area("toolbar").hidden = status.kind === "watching";
      offerCopy(area("kept"), status, () => session.ownBlocks);
    },
    onRow: agents.rowComes,
    onOthers: (now) => {
      others = now;
      if (binding) showCarets(editor.view, others);
    },
    goTo: (block) => part?.reveal(block),
  });

  const surface = document.createElement("div");
  const editor = new Editor({
    element: surface,
    injectCSS: false,
    editable: false,
    // Pasted Markdown is read as such (clipboard.ts); these would find signs in what is only text.
    enablePasteRules: false,
    extensions: [
      ...documentKit(),
      BlockIds,
      Carets,
      PromptCaret,
      partKeys(() => part),
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
    editorProps: {
      ...(matchMedia("(max-width: 70rem)").matches && {
        scrollMargin: scrollRoom(72),
        scrollThreshold: scrollRoom(72),
      }),
      attributes: { class: classOfText(root), role: "textbox", "aria-multiline": "true", "aria-label": title },
    },
  });

  part = new PartView(editor, root);
  setWhole(editor, part);
  const session = await opening;
  part.open(surface, sight);
  part.onMove = () => showCarets(editor.view, others);
  const shown = part;
  const goToLinked = () => {
    const block = linkedBlock();
    if (block !== undefined) shown.reveal(block);
  };
  if (!sight) goToLinked();
  addEventListener("hashchange", goToLinked);
  area("toolbar").hidden = false;
  // Tools work where the caret is, also when the person has scrolled away from it.
  for (const name of ["toolbar", "context"])
    area(name).addEventListener("pointerdown", () => void shown.returnToCaret(), { capture: true });
  bindToolbar(area("toolbar"), editor, () => binding);
  features.bind(editor, area);
  bindContents(editor, area("contents"), (id) => shown.reveal(id));
  agents.bind(editor, documentId, area("news"));
  void loadMarkdown().then(() => root.toggleAttribute("data-ready", true));
  editor.on("selectionUpdate", () => {
    // A caret whose block is not shown stays where it is.
    if (binding?.parked) return;
    const place = placeOf(editor.view);
    session.tellPlace(editor.isFocused ? place : null);
  });
}
