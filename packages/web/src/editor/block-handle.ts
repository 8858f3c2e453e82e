import type { Editor } from "@tiptap/core";
import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { at } from "../islands/shell/base-path.ts";
import { element } from "../islands/shell/element.ts";
import { type Action, openMenu } from "../islands/shell/menu.ts";
import { toast } from "../islands/shell/toast.ts";
import { idOfNode } from "./block-json.ts";
import { insertables } from "./insertables.ts";
import { stage } from "./stage.ts";

interface Block {
  readonly node: EditorNode;
  readonly position: number;
  readonly index: number;
}

/** The top-level block at a position of the document. */
function blockAt(editor: Editor, position: number): Block | undefined {
  const { doc } = editor.state;
  const index = doc.resolve(Math.min(position, doc.content.size)).index(0);
  if (index >= doc.childCount) return undefined;
  let start = 0;
  for (let i = 0; i < index; i++) start += doc.child(i).nodeSize;
  return { node: doc.child(index), position: start, index };
}

const ownBlock = (editor: Editor): Block | undefined => blockAt(editor, editor.state.selection.from);

/** Puts a block one place up or down; it stays the same block. */
function moveBlock(editor: Editor, block: Block | undefined, step: -1 | 1): boolean {
  const { tr, doc } = editor.state;
  const to = block && block.index + step;
  if (!block || to === undefined || to < 0 || to >= doc.childCount) return false;
  const { node, position } = block;
  const caret = editor.state.selection.from - position;
  const target = step < 0 ? position - doc.child(to).nodeSize : position + doc.child(to).nodeSize;
  tr.delete(position, position + node.nodeSize).insert(target, node);
  if (caret > 0 && caret < node.nodeSize) tr.setSelection(TextSelection.near(tr.doc.resolve(target + caret)));
  editor.view.dispatch(tr.scrollIntoView());
  return true;
}

/** Ids are given to the copy by the editor, in all that it holds. */
function duplicate(editor: Editor, { node, position }: Block): void {
  editor.view.dispatch(editor.state.tr.insert(position + node.nodeSize, node));
}

function remove(editor: Editor, { node, position }: Block): void {
  editor.view.dispatch(editor.state.tr.delete(position, position + node.nodeSize));
  editor.commands.focus();
}

async function copyLink(documentId: string, { node }: Block): Promise<void> {
  const id = idOfNode(node);
  const address = `${location.origin}${at(`/documents/${documentId}`)}?block=${id}#${id}`;
  await navigator.clipboard.writeText(address).then(
    () => toast("Link copied."),
    () => toast(address),
  );
}

function turnInto(editor: Editor, { position }: Block): Action[] {
  return insertables
    .filter(({ isTurn }) => isTurn)
    .map(({ name, run }) => ({
      label: name,
      run: () =>
        void run(
          editor
            .chain()
            .focus()
            .setTextSelection(position + 1)
            .clearNodes(),
        ).run(),
    }));
}

function menuOf(editor: Editor, documentId: string, block: Block, handle: HTMLElement): void {
  const place = handle.getBoundingClientRect();
  const again = () => blockAt(editor, block.position) ?? block;
  const actions: Action[] = [
    { label: "Turn into…", run: () => openMenu("Turn into", turnInto(editor, again()), place, handle) },
    { label: "Duplicate", run: () => duplicate(editor, again()) },
    { label: "Copy link to block", run: () => void copyLink(documentId, again()) },
    { label: "Move up", run: () => void moveBlock(editor, again(), -1) },
    { label: "Move down", run: () => void moveBlock(editor, again(), 1) },
    { label: "Delete", isDanger: true, run: () => remove(editor, again()) },
  ];
  openMenu("Block", actions, place, handle);
}

/** A handle beside the block under the pointer: a press opens its menu, dragging moves it. */
export function bindBlockHandle(editor: Editor, documentId: string): void {
  const handle = element(
    "button",
    { type: "button", class: "editor-handle", draggable: "true", "aria-label": "Block actions", hidden: true },
    "⋮⋮",
  );
  stage().append(handle);
  let shown: Block | undefined;
  editor.view.dom.addEventListener("mousemove", (event) => {
    if (!editor.isEditable) return;
    const found = editor.view.posAtCoords({ left: event.clientX, top: event.clientY });
    const block = found ? blockAt(editor, found.inside >= 0 ? found.inside : found.pos) : undefined;
    const dom = block && editor.view.nodeDOM(block.position);
    if (!block || !(dom instanceof HTMLElement)) return;
    shown = block;
    handle.hidden = false;
    const { left, top } = dom.getBoundingClientRect();
    handle.style.setProperty("left", `${Math.max(0, left - 28)}px`);
    handle.style.setProperty("top", `${top}px`);
  });
  addEventListener("scroll", () => handle.toggleAttribute("hidden", true), { passive: true });
  handle.addEventListener("click", () => {
    if (shown) menuOf(editor, documentId, shown, handle);
  });
  handle.addEventListener("dragstart", (event) => {
    const block = shown && blockAt(editor, shown.position);
    if (!block || !event.dataTransfer) return;
    const { view } = editor;
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, block.position)));
    const slice = view.state.selection.content();
    event.dataTransfer.setData("text/html", view.serializeForClipboard(slice).dom.innerHTML);
    event.dataTransfer.effectAllowed = "move";
    view.dragging = { slice, move: true };
  });
}

/** The same by keys. */
export const blockKeys = (documentId: string) =>
  Extension.create({
    name: "blockKeys",
    addKeyboardShortcuts() {
      const { editor } = this;
      const withBlock = (run: (block: Block) => void) => () => {
        const block = ownBlock(editor);
        if (block) run(block);
        return block !== undefined;
      };
      return {
        "Alt-ArrowUp": () => moveBlock(editor, ownBlock(editor), -1),
        "Alt-ArrowDown": () => moveBlock(editor, ownBlock(editor), 1),
        "Mod-Shift-d": withBlock((block) => duplicate(editor, block)),
        "Mod-Shift-Backspace": withBlock((block) => remove(editor, block)),
        "Mod-Shift-l": withBlock((block) => void copyLink(documentId, block)),
      };
    },
  });
