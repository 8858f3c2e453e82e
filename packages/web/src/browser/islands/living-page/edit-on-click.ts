import { at } from "../common/base-path.ts";
import { targetOf } from "../common/element.ts";
import { toast } from "../common/toast.ts";
import { EDITING } from "./events.ts";

/** The position on the screen that becomes the caret, or both ends of a selection. */
export interface Press {
  readonly anchor: ScreenPoint;
  readonly head: ScreenPoint;
}

interface ScreenPoint {
  readonly left: number;
  readonly top: number;
}

/** The block that must not move when the editor takes over. */
interface Kept {
  readonly id: string;
  readonly top: number;
}

type EditorIsland = {
  readonly takeOver: (
    root: HTMLElement,
    kept: Kept | undefined,
    press: Promise<(() => Press) | undefined>,
  ) => Promise<void>;
};

/** Elements in the text that have a use of their own. */
const OWN_USE = "a, button, input, select, textarea, summary, label, video, audio, iframe, dialog, [role=button]";

const textToEdit = (): HTMLElement | null => document.querySelector("[data-editable-text]");

let island: Promise<EditorIsland> | undefined;

/** The editor is loaded while the reader is idle, so that a click does not wait for it. */
function load(root: HTMLElement): Promise<EditorIsland> {
  island ??= import(at(root.dataset.editor ?? ""));
  island.catch(() => {
    island = undefined;
  });
  return island;
}

let takingOver: Promise<void> | undefined;

/** Starts the editor in the place of the text. Without a press the caret is where the reader is. */
export function startEditing(
  kept?: Kept,
  press: Promise<(() => Press) | undefined> = Promise.resolve(undefined),
): Promise<void> {
  const root = textToEdit();
  if (!root) return takingOver ?? Promise.resolve();
  root.removeAttribute("data-editable-text");
  takingOver = load(root)
    .then((editor) => editor.takeOver(root, kept, press))
    .then(() => void document.dispatchEvent(new Event(EDITING)))
    .catch(() => {
      root.toggleAttribute("data-editable-text", true);
      toast("The editor could not be opened. Check the connection and click again.");
    });
  return takingOver;
}

/** The current selection, or the point itself. It is read when the editor takes over: a second click selects a word. */
function pressAt(x: number, y: number): Press {
  const selection = getSelection();
  const point = { left: x, top: y };
  if (!selection || selection.isCollapsed || !selection.anchorNode || !selection.focusNode)
    return { anchor: point, head: point };
  return {
    anchor: pointOf(selection.anchorNode, selection.anchorOffset) ?? point,
    head: pointOf(selection.focusNode, selection.focusOffset) ?? point,
  };
}

function pointOf(node: Node, offset: number): ScreenPoint | undefined {
  const range = document.createRange();
  range.setStart(node, offset);
  const { left, top, height } = range.getBoundingClientRect();
  return height > 0 ? { left, top: top + height / 2 } : undefined;
}

function keptAt(target: Element): Kept | undefined {
  const block = target.closest<HTMLElement>(".block[id]");
  return block ? { id: block.id, top: block.getBoundingClientRect().top } : undefined;
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog, [popover]") !== null;

/** A press into the text makes it editable, with the caret where the person pressed. */
export function startEditingOnClick(): void {
  const root = textToEdit();
  if (!root) return;
  const isForEditor = (event: MouseEvent) => {
    const target = targetOf(event);
    return event.button === 0 && !event.ctrlKey && !event.metaKey && target?.closest(OWN_USE) === null;
  };
  root.addEventListener("pointerdown", (event) => {
    const target = targetOf(event);
    if (event.pointerType === "touch" || !target || !isForEditor(event) || !textToEdit()) return;
    const press = new Promise<(() => Press) | undefined>((resolve) => {
      addEventListener("pointercancel", () => resolve(undefined), { once: true });
      // After the browser has set its own selection.
      addEventListener(
        "pointerup",
        ({ clientX, clientY }) => setTimeout(() => resolve(() => pressAt(clientX, clientY))),
        {
          once: true,
        },
      );
    });
    void startEditing(keptAt(target), press);
  });
  root.addEventListener("click", (event) => {
    const target = targetOf(event);
    if (target && isForEditor(event) && textToEdit())
      void startEditing(
        keptAt(target),
        Promise.resolve(() => pressAt(event.clientX, event.clientY)),
      );
  });
  for (const link of document.querySelectorAll('.empty a[href$="/edit"], [data-mode-item="editing"]'))
    link.addEventListener("click", (event) => {
      event.preventDefault();
      link.closest<HTMLElement>("[popover]")?.hidePopover();
      void startEditing();
    });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "e" || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    if (!textToEdit()) return;
    event.preventDefault();
    void startEditing();
  });
  requestIdleCallback(() => void load(root).catch(() => undefined), { timeout: 2000 });
}
