import { type Editor, Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { element } from "../islands/shell/element.ts";

interface Match {
  readonly from: number;
  readonly to: number;
}

const key = new PluginKey<string>("find");

/** Where a text stands, whatever its case; a match lies within one block. */
export function findAll(doc: EditorNode, wanted: string): Match[] {
  const found: Match[] = [];
  if (wanted === "") return found;
  const needle = wanted.toLowerCase();
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    const text = node.textBetween(0, node.content.size, undefined, "\ufffc").toLowerCase();
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
      found.push({ from: position + 1 + at, to: position + 1 + at + needle.length });
    return false;
  });
  return found;
}

/** Marks what is looked for. */
export const FindMarks = Extension.create({
  name: "findMarks",
  addProseMirrorPlugins: () => [
    new Plugin<string>({
      key,
      state: { init: () => "", apply: (tr, wanted): string => tr.getMeta(key) ?? wanted },
      props: {
        decorations: (state) => {
          const wanted = key.getState(state) ?? "";
          if (wanted === "") return null;
          const marks = findAll(state.doc, wanted).map(({ from, to }) =>
            Decoration.inline(from, to, { class: "found" }),
          );
          return DecorationSet.create(state.doc, marks);
        },
      },
    }),
  ],
});

/** Find and replace in this document. */
export function makeFindBar(editor: Editor, bar: HTMLElement): { open: () => void } {
  const field = (label: string) =>
    element("input", { type: "text", "aria-label": label, placeholder: label, maxlength: 500 });
  const [wanted, instead] = [field("Find"), field("Replace with")];
  const count = element("output", { "aria-live": "polite" });
  const button = (label: string, run: () => void) => {
    const made = element("button", { type: "button", class: "button button-small" }, label);
    made.addEventListener("click", run);
    return made;
  };
  const matches = () => findAll(editor.state.doc, wanted.value);
  const mark = () => {
    editor.view.dispatch(editor.state.tr.setMeta(key, bar.hidden ? "" : wanted.value));
    count.textContent = wanted.value === "" ? "" : `${matches().length} found`;
  };
  const go = (step: 1 | -1) => {
    const all = matches();
    const { from } = editor.state.selection;
    const next =
      step > 0
        ? (all.find((one) => one.from > from) ?? all[0])
        : (all.findLast((one) => one.from < from) ?? all.at(-1));
    if (next)
      editor.view.dispatch(
        editor.state.tr.setSelection(TextSelection.create(editor.state.doc, next.from, next.to)).scrollIntoView(),
      );
  };
  const replace = (which: readonly Match[]) => {
    const { tr } = editor.state;
    for (const { from, to } of which.toReversed())
      if (instead.value === "") tr.delete(from, to);
      else tr.insertText(instead.value, from, to);
    editor.view.dispatch(tr);
    mark();
  };
  const replaceOne = () => {
    const { from, to } = editor.state.selection;
    const here = matches().find((one) => one.from === from && one.to === to);
    if (here) replace([here]);
    go(1);
  };
  const close = () => {
    bar.hidden = true;
    mark();
    editor.commands.focus();
  };
  wanted.addEventListener("input", mark);
  bar.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (event.target === instead) replaceOne();
    else go(event.shiftKey ? -1 : 1);
  });
  bar.append(
    wanted,
    button("Next", () => go(1)),
    button("Previous", () => go(-1)),
    instead,
    button("Replace", replaceOne),
    button("Replace all", () => replace(matches())),
    count,
    button("Close", close),
  );
  const open = () => {
    const { from, to } = editor.state.selection;
    const selected = editor.state.doc.textBetween(from, to, " ");
    bar.hidden = false;
    if (selected !== "" && selected.length < 200) wanted.value = selected;
    mark();
    wanted.focus();
    wanted.select();
  };
  return { open };
}
