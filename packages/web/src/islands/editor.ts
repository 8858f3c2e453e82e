import { documentKit } from "@svc/tiptap-kit/kit";
import { Editor, Extension } from "@tiptap/core";
import { agentMarks } from "../editor/agent-marks.ts";
import { Binding } from "../editor/binding.ts";
import { PromptCaret } from "../editor/caret.ts";
import { Carets, placeOf, showCarets } from "../editor/carets.ts";
import { loadMarkdown } from "../editor/clipboard.ts";
import { featuresOf } from "../editor/features.ts";
import { BlockIds } from "../editor/ids.ts";
import { offerCopy } from "../editor/offer-copy.ts";
import { startSuggesting } from "../editor/suggest/start.ts";
import { bindToolbar } from "../editor/toolbar.ts";
import { openSession } from "../live-page/open-session.ts";

const root = document.querySelector<HTMLElement>("[data-live-editor]");
if (root) void (root.dataset.mode === "suggest" ? startSuggesting(root) : start(root));

async function start(root: HTMLElement): Promise<void> {
  const { documentId = "", userId = "", title = "" } = root.dataset;
  const part = (name: string) => document.querySelector<HTMLElement>(`[data-editor-part="${name}"]`)!;
  const features = featuresOf(documentId);
  const agents = agentMarks();
  let binding: Binding | undefined;

  // Asked for first: state and journal come while the editor is made.
  const opening = openSession({
    documentId,
    userId,
    part,
    onState: (live) => {
      binding?.destroy();
      binding = new Binding(editor, live);
    },
    onStatus: (status, { mayWrite, live }) => {
      if (editor.isEditable !== mayWrite) editor.setEditable(mayWrite, false);
      offerCopy(part("kept"), status, () => live.blocks);
    },
    onRow: agents.rowComes,
    onOthers: (others) => binding && showCarets(editor.view, others),
  });

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

  const session = await opening;
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
