import { isSafeLink } from "@svc/document/html/url";
import type { ChainedCommands, Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import type { IconName } from "../../../shared/icons.ts";
import { element, icon } from "../../islands/common/element.ts";
import { type Action, openMenu } from "../../islands/common/menu.ts";
import { newComment } from "../../islands/discussion/events.ts";
import { isPaletteKey } from "../../islands/shell/open-palette.ts";
import { commentOn } from "../comment-on.ts";
import { openArea, stage } from "../stage.ts";
import { alignActions, colourActions } from "./text-looks.ts";

const marks: readonly (readonly [
  mark: string,
  label: string,
  icon: IconName,
  run: (c: ChainedCommands) => ChainedCommands,
])[] = [
  ["bold", "Bold", "bold", (chain) => chain.toggleBold()],
  ["italic", "Italic", "italic", (chain) => chain.toggleItalic()],
  ["underline", "Underline", "underline", (chain) => chain.toggleUnderline()],
  ["strike", "Strikethrough", "strike", (chain) => chain.toggleStrike()],
  ["code", "Code", "code", (chain) => chain.toggleCode()],
  ["kbd", "Key", "keyboard", (chain) => chain.toggleKbd()],
  ["highlight", "Highlight", "highlight", (chain) => chain.toggleHighlight()],
  ["subscript", "Subscript", "subscript", (chain) => chain.toggleSubscript()],
  ["superscript", "Superscript", "superscript", (chain) => chain.toggleSuperscript()],
];

const menus: readonly (readonly [label: string, icon: IconName, actions: (editor: Editor) => Action[]])[] = [
  ["Colours", "colours", colourActions],
  ["Alignment", "align", alignActions],
];

const tool = (label: string, name: IconName, attributes = {}): HTMLButtonElement =>
  element("button", { type: "button", class: "tool", "aria-label": label, title: label, ...attributes }, icon(name));

/** Completes a typed address: a host becomes a web address, a name at a host a mail address. */
function fullAddress(typed: string): string {
  if (/^[^\s@/:]+@[\w.-]+\.\w{2,}$/.test(typed)) return `mailto:${typed}`;
  if (/^localhost(:\d+)?([/?#]|$)/.test(typed)) return `http://${typed}`;
  return /^[\w.-]+\.\w{2,}(:\d+)?([/?#]|$)/.test(typed) ? `https://${typed}` : typed;
}

const isTouched = matchMedia("(pointer: coarse)");

/** Pixels below the selection, leaving room for the touch handles. */
const TOUCH_GAP = 30;

const PASSAGE = "link-text";

/** Keeps the selected text marked while its address is typed. */
function markPassage({ view, state }: Editor): void {
  const range = document.createRange();
  const [start, end] = [view.domAtPos(state.selection.from), view.domAtPos(state.selection.to)];
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  CSS.highlights?.set(PASSAGE, new Highlight(range));
}

/** Tools above selected text. They take no focus, so the selection stays. */
export function bindFloatingBar(editor: Editor): void {
  const bar = element("div", { class: "editor-float", role: "toolbar", "aria-label": "Selection", hidden: true });
  const buttons = marks.map(([mark, label, name, run]) => {
    const button = tool(label, name, { "aria-pressed": "false" });
    button.addEventListener("click", () => run(editor.chain()).run());
    return { mark, button };
  });
  const openers = menus.map(([label, name, actions]) => {
    const opener = tool(label, name, { "aria-haspopup": "menu" });
    opener.addEventListener("click", () => openMenu(label, actions(editor), opener.getBoundingClientRect(), opener));
    return opener;
  });
  const address = element("input", {
    type: "text",
    inputmode: "url",
    enterkeyhint: "done",
    "aria-label": "Link to",
    placeholder: "Link to…",
    maxlength: 2000,
  });
  address.addEventListener("keydown", (event) => {
    if (event.key === "Escape") editor.commands.focus();
    if (event.key !== "Enter") return;
    event.preventDefault();
    const href = fullAddress(address.value.trim());
    address.setCustomValidity(isSafeLink(href) ? "" : "This address cannot be a link.");
    if (!address.reportValidity()) return;
    const chain = editor.chain().focus().extendMarkRange("link");
    if (href === "") chain.unsetLink().run();
    else chain.setLink({ href }).run();
  });
  address.addEventListener("focus", () => markPassage(editor));
  address.addEventListener("blur", () => void CSS.highlights?.delete(PASSAGE));
  address.addEventListener("input", () => address.setCustomValidity(""));
  editor.view.dom.addEventListener("keydown", (event) => {
    if (bar.hidden || !isPaletteKey(event)) return;
    event.preventDefault();
    address.select();
  });
  const comment = tool("Comment", "comment");
  comment.addEventListener("click", () => commentOn(editor));
  bar.append(...(newComment() ? [comment] : []), ...buttons.map(({ button }) => button), ...openers, address);
  bar.addEventListener("mousedown", (event) => {
    if (event.target !== address) event.preventDefault();
  });
  stage().append(bar);

  const update = () => {
    const { selection } = editor.state;
    const isText = selection instanceof TextSelection && !selection.empty && !selection.$from.parent.type.spec.code;
    const hasFocus = editor.isFocused || bar.contains(document.activeElement);
    bar.hidden = !(isText && hasFocus && editor.isEditable);
    if (bar.hidden) return;
    for (const { mark, button } of buttons) button.setAttribute("aria-pressed", String(editor.isActive(mark)));
    if (document.activeElement !== address) {
      address.value = editor.getAttributes("link").href ?? "";
      address.setCustomValidity("");
    }
    const [start, end] = [editor.view.coordsAtPos(selection.from), editor.view.coordsAtPos(selection.to)];
    const { width, height } = bar.getBoundingClientRect();
    const area = openArea();
    // On touch devices the browser has its own menu above the selection, and handles below it.
    const [above, below] = [start.top - height - 6, end.bottom + (isTouched.matches ? TOUCH_GAP : 6)];
    const isAbove = isTouched.matches ? below + height > area.bottom : above > area.top;
    bar.style.setProperty("left", `${Math.max(8, Math.min(start.left, innerWidth - width - 8))}px`);
    bar.style.setProperty("top", `${isAbove ? Math.max(above, area.top) : below}px`);
  };
  // While the focus moves from the text into the bar, nothing has it: hiding the bar then would lose the focus.
  const later = () => void setTimeout(update);
  editor.on("transaction", () => (editor.isFocused ? update() : later()));
  editor.on("focus", update);
  bar.addEventListener("focusout", later);
  addEventListener("scroll", update, { passive: true });
  addEventListener("resize", update);
}
