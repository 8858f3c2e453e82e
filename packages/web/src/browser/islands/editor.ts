import { documentKit } from "@svc/tiptap-kit/kit";
import { Editor, Extension } from "@tiptap/core";
import { Binding } from "../editor/binding/binding.ts";
import { PromptCaret } from "../editor/binding/caret.ts";
import { BlockIds } from "../editor/binding/ids.ts";
import { loadMarkdown } from "../editor/clipboard/clipboard.ts";
import { bindContents } from "../editor/contents.ts";
import { featuresOf } from "../editor/features.ts";
import { agentMarks } from "../editor/marks/agent-marks.ts";
import { Carets, ownCaret, showCarets } from "../editor/marks/carets.ts";
import { knowTitles } from "../editor/marks/page-marks.ts";
import { offerCopy } from "../editor/offer-copy.ts";
import { partKeys } from "../editor/part/part-keys.ts";
import { PartView, type ScrollAnchor } from "../editor/part/part-view.ts";
import { putCaret } from "../editor/part/put-caret.ts";
import { linkedBlock, readingPosition } from "../editor/part/reading-position.ts";
import { setWhole } from "../editor/part/whole-document.ts";
import { classOfText, scrollRoom } from "../editor/stage.ts";
import { startSuggesting } from "../editor/suggest/start.ts";
import { bindToolbar } from "../editor/toolbar.ts";
import { openSession } from "../live-page/open-session.ts";
import type { Present } from "../live-page/person-colour.ts";
import type { Press } from "./living-page/edit-on-click.ts";
import { CARET_BLOCK } from "./living-page/events.ts";

/** A page that opens with its editor. */
const root = document.querySelector<HTMLElement>("[data-live-editor]");
if (root) void (root.dataset.mode === "suggest" ? startSuggesting(root) : start(root, readingPosition(root)));

/** Puts the editor in the place of a text that is read, with the caret where the person pressed. */
export async function takeOver(
  root: HTMLElement,
  kept: ScrollAnchor | undefined,
  press: Promise<(() => Press) | undefined>,
): Promise<void> {
  root.toggleAttribute("data-live-editor", true);
  let point: Press | undefined;
  try {
    const editor = await start(root, kept ?? readingPosition(root), async () => {
      point = (await press)?.();
    });
    putCaret(editor, point, kept?.id);
  } catch (error) {
    root.removeAttribute("data-live-editor");
    throw error;
  }
}

async function start(
  root: HTMLElement,
  anchor: ScrollAnchor | undefined,
  beforeOpen?: () => Promise<void>,
): Promise<Editor> {
  const { documentId = "", userId = "", documentTitle = "" } = root.dataset;
  const area = (name: string) => document.querySelector<HTMLElement>(`[data-editor-part="${name}"]`)!;
  knowTitles(root);
  const features = featuresOf(documentId);
  const agents = agentMarks();
  let binding: Binding | undefined;
  let part: PartView | undefined;
  let others: readonly Present[] = [];

  // Asked for first: state and journal come while the editor is made.
  const opening = openSession({
    documentId,
    userId,
    part: area,
    onState: (live) => {
      const at = binding ? part?.caretBlock : (anchor?.id ?? linkedBlock());
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
      attributes: { class: classOfText(root), role: "textbox", "aria-multiline": "true", "aria-label": documentTitle },
    },
  });

  part = new PartView(editor, root);
  setWhole(editor, part);
  const session = await opening;
  await beforeOpen?.();
  part.open(surface, anchor);
  part.onMove = () => showCarets(editor.view, others);
  const shown = part;
  const goToLinked = () => {
    const block = linkedBlock();
    if (block !== undefined) shown.reveal(block);
  };
  if (!anchor) goToLinked();
  addEventListener("hashchange", goToLinked);
  area("toolbar").hidden = false;
  // Tools work where the caret is, also when the person has scrolled away from it.
  for (const name of ["toolbar", "context"])
    area(name).addEventListener("pointerdown", () => void shown.returnToCaret(), { capture: true });
  bindToolbar(area("toolbar"), editor, () => binding);
  features.bind(editor, area);
  bindContents(editor, area("contents"), (id) => shown.reveal(id));
  agents.bind(editor, documentId, area("news"));
  void loadMarkdown().then(() => root.toggleAttribute("data-editor-ready", true));
  editor.on("selectionUpdate", () => {
    // A caret whose block is not shown stays where it is.
    if (binding?.parked) return;
    const place = ownCaret(editor.view);
    if (place) document.dispatchEvent(new CustomEvent(CARET_BLOCK, { detail: place.block_id }));
    session.sendCaret(editor.isFocused ? place : null);
  });
  return editor;
}
