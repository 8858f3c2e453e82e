import { type Editor, Extension, type Extensions } from "@tiptap/core";
import { EDITOR_KEYS, PAGE_SETTINGS } from "../islands/living-page/events.ts";
import { bindContextBar } from "./bars/context-bar.ts";
import { FindMarks, makeFindBar } from "./bars/find-bar.ts";
import { bindFloatingBar } from "./bars/floating-bar.ts";
import { bindBlockHandle, blockKeys } from "./block-handle.ts";
import { Clipboard } from "./clipboard/clipboard.ts";
import { CommentKeys } from "./comment-on.ts";
import { DetailsKeys, SummarySigns } from "./details.ts";
import { chooseFiles, filesOf } from "./files.ts";
import { FocusAtOnce } from "./focus.ts";
import { Footnotes, insertFootnote } from "./footnotes.ts";
import { openHelp } from "./help-sheet.ts";
import { followKeyboard } from "./keyboard-room.ts";
import { CommentedBlocks } from "./marks/commented-blocks.ts";
import { PageMarks } from "./marks/page-marks.ts";
import { SuggestedChanges } from "./marks/suggested-changes.ts";
import { emojiMenu } from "./menus/emoji-menu.ts";
import { atLinks, pageLinks } from "./menus/link-menu.ts";
import { slashMenu } from "./menus/slash-menu.ts";
import { triggersOf } from "./menus/triggers.ts";
import { OpenLinks } from "./open-links.ts";
import { foldedSections } from "./sections.ts";
import { openSettings } from "./settings.ts";
import { bindTableHandles } from "./table-handles.ts";
import { CellTyping, TableWidths } from "./tables.ts";
import { CodeKeys } from "./typing/code-lines.ts";
import { bindPressBelow, LeaveBlock } from "./typing/leave-block.ts";
import { ListSigns } from "./typing/list-signs.ts";
import { MathSigns } from "./typing/math-signs.ts";
import { TabKeys } from "./typing/tab-keys.ts";
import { CodeColours } from "./views/code-colours.ts";
import { DiagramPreviews } from "./views/diagram-preview.ts";
import { Directions } from "./views/directions.ts";
import { LongCells } from "./views/long-cells.ts";
import { SoftBreaks } from "./views/soft-breaks.ts";
import { NodeViews } from "./views/views.ts";

/** The editor's features beyond text and its own schema, each in a file of its own. */
interface Features {
  readonly extensions: Extensions;
  /** Called once, when the editor is on the page. */
  readonly bind: (editor: Editor, part: (name: string) => HTMLElement) => void;
}

/** `suggest`: only the suggestion changes, so no file is uploaded and no page is created. */
export function featuresOf(documentId: string, mode: "edit" | "suggest" = "edit"): Features {
  const isEdit = mode === "edit";
  let bound: { readonly editor: Editor; readonly find: () => void } | undefined;
  const help = () => openHelp(() => bound?.editor.commands.focus());
  const settings = () => void openSettings(documentId, () => bound?.editor.commands.focus());
  const keys = Extension.create({
    name: "featureKeys",
    addKeyboardShortcuts: () => ({
      "Mod-f": () => {
        bound?.find();
        return bound !== undefined;
      },
      "Mod-/": () => {
        help();
        return true;
      },
    }),
  });
  const more = [
    ...(isEdit
      ? [
          {
            name: "Image or file",
            words: "picture photo upload attachment",
            run: () => bound && chooseFiles(bound.editor, documentId),
          },
        ]
      : []),
    { name: "Footnote", run: () => bound && insertFootnote(bound.editor) },
    { name: "Find and replace", run: () => bound?.find() },
    ...(isEdit ? [{ name: "Page settings", run: settings }] : []),
    { name: "Keyboard shortcuts", run: help },
  ];
  return {
    extensions: [
      FocusAtOnce,
      triggersOf([slashMenu(more), emojiMenu, pageLinks(documentId, isEdit), atLinks(documentId, isEdit)]),
      Clipboard,
      ...(isEdit ? [filesOf(documentId)] : []),
      NodeViews,
      Footnotes,
      DetailsKeys,
      SummarySigns,
      TableWidths,
      CellTyping,
      ListSigns,
      MathSigns,
      TabKeys,
      CodeKeys,
      LeaveBlock,
      CodeColours,
      LongCells,
      SoftBreaks,
      Directions,
      DiagramPreviews,
      PageMarks,
      CommentedBlocks,
      ...(isEdit ? [SuggestedChanges] : []),
      CommentKeys,
      OpenLinks,
      foldedSections(documentId, isEdit),
      FindMarks,
      blockKeys(documentId),
      keys,
    ],
    bind: (editor, part) => {
      followKeyboard();
      bindFloatingBar(editor);
      bindBlockHandle(editor, documentId);
      bindContextBar(part("context"), editor);
      bindTableHandles(editor);
      bindPressBelow(editor);
      bound = { editor, find: makeFindBar(editor, part("find")).open };
      part("toolbar").querySelector('[data-command="help"]')?.addEventListener("click", help);
      part("toolbar").querySelector('[data-command="settings"]')?.addEventListener("click", settings);
      document.addEventListener(PAGE_SETTINGS, settings);
      document.addEventListener(EDITOR_KEYS, help);
    },
  };
}
