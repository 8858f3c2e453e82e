import type { Editor } from "@tiptap/core";
import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { NodeSelection, Plugin, Selection, TextSelection } from "@tiptap/pm/state";
import { CellSelection } from "@tiptap/pm/tables";
import type { EditorView } from "@tiptap/pm/view";
import { at } from "../islands/common/base-path.ts";
import { element, icon } from "../islands/common/element.ts";
import { type Action, openMenu } from "../islands/common/menu.ts";
import { toast } from "../islands/common/toast.ts";
import { dropAtEdge, hideDropLine, showDropLine } from "./block-drop.ts";
import { idOfNode } from "./block-json.ts";
import { type Block, type Blocks, blockOf, endOf, extend, ownBlocks, select } from "./block-selection.ts";
import { canTurn, turnInto } from "./menus/turn-into.ts";
import { isFolded, toggleSection } from "./sections.ts";
import { stage } from "./stage.ts";

/** The top-level block at a position of the document. */
function blockAt(editor: Editor, position: number): Block | undefined {
  const { doc } = editor.state;
  const index = doc.resolve(Math.min(position, doc.content.size)).index(0);
  return blockOf(doc, index);
}

/** The same block at its current position. */
function sameBlock(doc: EditorNode, { node, position, index }: Block): Block | undefined {
  const id = idOfNode(node);
  if (id === undefined) return { node, position, index };
  for (let at = 0; at < doc.childCount; at++) if (idOfNode(doc.child(at)) === id) return blockOf(doc, at);
  return undefined;
}

/** The selected blocks if the block is one of several, otherwise the block alone. */
function blocksWith(editor: Editor, block: Block): Blocks {
  const own = ownBlocks(editor);
  const isOne = own && own.first.index <= block.index && block.index <= own.last.index;
  return isOne ? own : { first: block, last: block };
}

/**
 * Moves blocks up or down by moving their neighbour to the other side, so that the blocks and the selection stay as
 * they are.
 */
function moveBlocks(editor: Editor, blocks: Blocks | undefined, step: -1 | 1): boolean {
  if (!blocks) return false;
  const { tr, doc } = editor.state;
  const { first, last } = blocks;
  const neighbour = blockOf(doc, step < 0 ? first.index - 1 : last.index + 1);
  if (!neighbour) return false;
  const target = step < 0 ? endOf(last) : first.position;
  tr.delete(neighbour.position, endOf(neighbour)).insert(tr.mapping.map(target), neighbour.node);
  editor.view.dispatch(tr.scrollIntoView());
  return true;
}

/** The editor assigns new ids to the copies and everything in them. */
function duplicate(editor: Editor, { first, last }: Blocks): void {
  const { tr, doc } = editor.state;
  editor.view.dispatch(tr.insert(endOf(last), doc.slice(first.position, endOf(last)).content));
}

function remove(editor: Editor, { first, last }: Blocks): void {
  editor.view.dispatch(editor.state.tr.delete(first.position, endOf(last)));
  editor.commands.focus();
}

/** Ticks or unticks the task at the caret. */
function tick(editor: Editor): boolean {
  const { $from } = editor.state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (node.type.name !== "taskItem") continue;
    const isDone = node.attrs.checked === true;
    editor.view.dispatch(editor.state.tr.setNodeAttribute($from.before(depth), "checked", !isDone));
    return true;
  }
  return false;
}

async function copyLink(documentId: string, { node }: Block): Promise<void> {
  const id = idOfNode(node);
  const address = `${location.origin}${at(`/documents/${documentId}`)}?block=${id}#${id}`;
  await navigator.clipboard.writeText(address).then(
    () => toast("Link copied."),
    () => toast(address),
  );
}

/** The fold action of a heading. */
function foldAction(editor: Editor, documentId: string, { node }: Block): Action[] {
  const id = idOfNode(node);
  if (node.type.name !== "heading" || id === undefined) return [];
  const label = isFolded(editor, id) ? "Unfold the section" : "Fold the section";
  return [{ label, run: () => toggleSection(editor, documentId, id) }];
}

function menuOf(editor: Editor, documentId: string, block: Block, handle: HTMLElement): void {
  const place = handle.getBoundingClientRect();
  // Others may move the block meanwhile: find it by id.
  const again = () => sameBlock(editor.state.doc, block) ?? block;
  const all = () => blocksWith(editor, again());
  const actions: Action[] = [
    ...(canTurn(block.node)
      ? [{ label: "Turn into…", run: () => openMenu("Turn into", turnInto(editor, again()), place, handle) }]
      : []),
    { label: "Duplicate", run: () => duplicate(editor, all()) },
    ...foldAction(editor, documentId, again()),
    { label: "Copy link to block", run: () => void copyLink(documentId, again()) },
    { label: "Translate the page…", run: () => location.assign(at(`/documents/${documentId}/translations`)) },
    { label: "Move up", run: () => void moveBlocks(editor, all(), -1) },
    { label: "Move down", run: () => void moveBlocks(editor, all(), 1) },
    { label: "Delete", isDanger: true, run: () => remove(editor, all()) },
  ];
  openMenu("Block", actions, place, handle);
}

/**
 * A handle beside the block under the pointer: a press opens its menu, Shift and a press extends the selection,
 * dragging moves it.
 */
export function bindBlockHandle(editor: Editor, documentId: string): void {
  const handle = element(
    "button",
    { type: "button", class: "editor-handle", draggable: "true", "aria-label": "Block actions", hidden: true },
    icon("grip"),
  );
  stage().append(handle);
  let shown: Block | undefined;
  const showAt = (block: Block | undefined) => {
    const dom = block && editor.view.nodeDOM(block.position);
    if (!block || !(dom instanceof HTMLElement) || !editor.isEditable) return;
    shown = block;
    handle.hidden = false;
    const { left, top } = dom.getBoundingClientRect();
    // Beside the first line, and never over it where the margin is narrow.
    handle.style.setProperty("left", `${Math.max(0, left - 28)}px`);
    handle.style.setProperty("width", `${Math.min(24, left)}px`);
    const { paddingTop, lineHeight } = getComputedStyle(dom);
    handle.style.setProperty("top", `${top + Number.parseFloat(paddingTop)}px`);
    handle.style.setProperty("height", lineHeight);
  };
  editor.view.dom.addEventListener("mousemove", (event) => {
    const found = editor.view.posAtCoords({ left: event.clientX, top: event.clientY });
    showAt(found ? blockAt(editor, found.inside >= 0 ? found.inside : found.pos) : undefined);
  });
  // Without hover, the block with the caret has the handle.
  const cannotHover = matchMedia("(hover: none)");
  editor.on("selectionUpdate", () => {
    if (cannotHover.matches) showAt(ownBlocks(editor)?.first);
  });
  // The block moves away from the handle when tools above the text come and go.
  const hide = () => handle.toggleAttribute("hidden", true);
  for (const kind of ["scroll", "resize"]) addEventListener(kind, hide, { passive: true });
  const follow = () => (cannotHover.matches && !handle.hidden ? showAt(ownBlocks(editor)?.first) : hide());
  const tools = document.querySelector(".editor-bar");
  if (tools) new ResizeObserver(follow).observe(tools);
  handle.addEventListener("click", (event) => {
    const own = ownBlocks(editor);
    const block = shown && sameBlock(editor.state.doc, shown);
    if (block && own && event.shiftKey)
      select(
        editor,
        block.index < own.first.index ? { first: block, last: own.last } : { first: own.first, last: block },
      );
    else if (block) menuOf(editor, documentId, block, handle);
  });
  handle.addEventListener("dragstart", (event) => {
    const block = shown && sameBlock(editor.state.doc, shown);
    if (!block || !event.dataTransfer) return;
    const { view } = editor;
    const node = NodeSelection.create(view.state.doc, block.position);
    view.dispatch(view.state.tr.setSelection(node));
    const slice = node.content();
    event.dataTransfer.setData("text/html", view.serializeForClipboard(slice).dom.innerHTML);
    event.dataTransfer.effectAllowed = "move";
    const dom = view.nodeDOM(block.position);
    if (dom instanceof HTMLElement) event.dataTransfer.setDragImage(dom, 0, 0);
    // The block itself instead of a copy: the drop removes it from its old position in the same step.
    view.dragging = Object.assign({ slice, move: true }, { node });
  });
}

/** The block that is selected as a whole; for a table, all cells. */
function selectedBlock(selection: Selection): { readonly from: number; readonly to: number } | undefined {
  if (selection instanceof NodeSelection) return selection.node.isBlock ? selection : undefined;
  const isTable = selection instanceof CellSelection && selection.isRowSelection() && selection.isColSelection();
  return isTable ? { from: selection.$anchorCell.before(-1), to: selection.$anchorCell.after(-1) } : undefined;
}

/** Whether the position is visible, not within closed details. */
function isSeen(view: EditorView, position: number): boolean {
  const { node } = view.domAtPos(position);
  const shown = node instanceof HTMLElement ? node : node.parentElement;
  return shown !== null && shown.offsetParent !== null;
}

/**
 * Puts the caret after the text of the selected block, or into a paragraph after it, so that typing does not replace
 * the block.
 */
function caretBehind(view: EditorView): boolean {
  const { selection, schema, tr } = view.state;
  const selected = selectedBlock(selection);
  if (!selected) return false;
  const { from, to } = selected;
  const end = Selection.findFrom(tr.doc.resolve(to), -1, true);
  if (end && end.from > from && isSeen(view, end.from)) tr.setSelection(end);
  else {
    tr.insert(to, schema.node("paragraph"));
    tr.setSelection(TextSelection.create(tr.doc, to + 1));
  }
  view.dispatch(tr.scrollIntoView());
  return true;
}

/** Handles typing and composition while a block is selected. */
const typingBehind = new Plugin({
  props: {
    handleTextInput: (view, _from, _to, text) => {
      const isBehind = caretBehind(view);
      if (isBehind) view.dispatch(view.state.tr.insertText(text));
      return isBehind;
    },
    handleDOMEvents: {
      compositionstart: (view) => {
        caretBehind(view);
        return false;
      },
    },
  },
});

/** Drops a block at the edge of another, and shows the place before. */
const dropLine = new Plugin({
  props: {
    handleDrop: (view, event, slice, isMoved) => {
      hideDropLine(view);
      return dropAtEdge(view, event, slice, isMoved);
    },
    handleDOMEvents: {
      dragover: (view, event) => {
        showDropLine(view, event);
        return false;
      },
      dragleave: (view) => {
        hideDropLine(view);
        return false;
      },
      dragend: (view) => {
        hideDropLine(view);
        return false;
      },
    },
  },
});

/** The same actions as keyboard shortcuts. */
export const blockKeys = (documentId: string) =>
  Extension.create({
    name: "blockKeys",
    addProseMirrorPlugins: () => [typingBehind, dropLine],
    addKeyboardShortcuts() {
      const { editor } = this;
      const withBlocks = (run: (blocks: Blocks) => void) => () => {
        const blocks = ownBlocks(editor);
        if (blocks) run(blocks);
        return blocks !== undefined;
      };
      const move = (step: -1 | 1) => () => moveBlocks(editor, ownBlocks(editor), step);
      return {
        Escape: withBlocks(({ first, last }) => select(editor, { first, last })),
        "Shift-ArrowUp": () => extend(editor, -1),
        "Shift-ArrowDown": () => extend(editor, 1),
        "Alt-ArrowUp": move(-1),
        "Alt-ArrowDown": move(1),
        "Mod-Shift-ArrowUp": move(-1),
        "Mod-Shift-ArrowDown": move(1),
        "Mod-Enter": () => tick(editor),
        "Mod-Shift-d": withBlocks((blocks) => duplicate(editor, blocks)),
        "Mod-Shift-Backspace": withBlocks((blocks) => remove(editor, blocks)),
        "Mod-Shift-l": withBlocks(({ first }) => void copyLink(documentId, first)),
      };
    },
  });
