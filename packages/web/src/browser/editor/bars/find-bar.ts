import type { Node as Json } from "@svc/document/types";
import { type Editor, Extension } from "@tiptap/core";
import type { Node as EditorNode, Schema } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection } from "@tiptap/pm/state";
import type { Transform } from "@tiptap/pm/transform";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { element } from "../../islands/common/element.ts";
import { idOfNode } from "../block-json.ts";
import { wholeOf } from "../part/whole-document.ts";

interface Match {
  readonly from: number;
  readonly to: number;
}

const key = new PluginKey<string>("find");

/** Lower case for comparing. A letter that would become longer (İ) stays, so that offsets remain valid. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  const fold = (sign: string) => (sign.toLowerCase().length === sign.length ? sign.toLowerCase() : sign);
  return Array.from(text, fold).join("");
}

/** All matches of a text, ignoring case; a match lies within one block. */
function findAll(doc: EditorNode, wanted: string): Match[] {
  const found: Match[] = [];
  if (wanted === "") return found;
  const needle = folded(wanted);
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    const text = folded(node.textBetween(0, node.content.size, undefined, "\ufffc"));
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
      found.push({ from: position + 1 + at, to: position + 1 + at + needle.length });
    return false;
  });
  return found;
}

/** How often a hidden block contains a text, counted like `findAll`. */
function countIn(schema: Schema, block: Json, needle: string): number {
  const content = block.content ?? [];
  if (schema.nodes[block.type]?.inlineContent !== true)
    return content.reduce((sum, child) => sum + countIn(schema, child, needle), 0);
  const text = content.map((child) => child.text ?? "\ufffc").join("");
  return folded(text).split(needle).length - 1;
}

/** A match anywhere in the document: its number within its top-level block, and its range if that block is shown. */
interface FoundMatch {
  readonly id: string;
  readonly nth: number;
  readonly match?: Match;
}

/** All matches in document order. */
function findMatches(editor: Editor, wanted: string): FoundMatch[] {
  const { doc, schema } = editor.state;
  const shown = new Map<string, FoundMatch[]>();
  for (const match of findAll(doc, wanted)) {
    const id = idOfNode(doc.child(doc.resolve(match.from).index(0))) ?? "";
    const places = shown.get(id) ?? [];
    places.push({ id, nth: places.length, match });
    shown.set(id, places);
  }
  const whole = wholeOf(editor);
  if (!whole || wanted === "") return [...shown.values()].flat();
  return whole.order.flatMap((id) => {
    const hidden = whole.hiddenBlock(id);
    if (!hidden) return shown.get(id) ?? [];
    const count = countIn(schema, hidden, folded(wanted));
    return Array.from({ length: count }, (_, nth) => ({ id, nth }));
  });
}

/** The match after the caret, or before it; wraps around at the ends. */
function nextMatch(editor: Editor, all: readonly FoundMatch[], step: 1 | -1): FoundMatch | undefined {
  const { from, to } = editor.state.selection;
  const whole = wholeOf(editor);
  // A match that starts at the caret is the next one, unless it is already selected.
  const isNext = (match: Match) => match.from > from || (match.from === from && match.to !== to);
  const places = new Map(whole?.order.map((id, place) => [id, place]));
  const here = places.get(whole?.caretBlock ?? "") ?? 0;
  const isBeyond = ({ id, match }: FoundMatch): boolean => {
    if (match && (!whole || id === whole.caretBlock)) return step > 0 ? isNext(match) : match.from < from;
    const distance = (places.get(id) ?? 0) - here;
    return step > 0 ? distance > 0 : distance < 0;
  };
  return step > 0 ? (all.find(isBeyond) ?? all[0]) : (all.findLast(isBeyond) ?? all.at(-1));
}

function replaceIn(tr: Transform, { from, to }: Match, text: string): void {
  const { schema } = tr.doc.type;
  if (text === "") tr.delete(from, to);
  else tr.replaceWith(from, to, schema.text(text, tr.doc.resolve(from).marksAcross(tr.doc.resolve(to))));
}

/** Highlights the matches. */
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
    element("input", { class: "find-field", "aria-label": label, placeholder: label, maxlength: 500 });
  const [wanted, instead] = [field("Find"), field("Replace with")];
  const count = element("output", { "aria-live": "polite" });
  const button = (label: string, run: () => void) => {
    const made = element("button", { type: "button", class: "button button-small" }, label);
    made.addEventListener("click", run);
    return made;
  };
  const places = () => findMatches(editor, wanted.value);
  const matches = () => findAll(editor.state.doc, wanted.value);
  const showCount = () => {
    const all = places();
    const { from, to } = editor.state.selection;
    const at = all.findIndex(({ match }) => match?.from === from && match.to === to);
    if (wanted.value === "") count.textContent = "";
    else count.textContent = at < 0 ? `${all.length} found` : `${at + 1} of ${all.length}`;
  };
  const mark = () => {
    editor.view.dispatch(editor.state.tr.setMeta(key, bar.hidden ? "" : wanted.value));
    showCount();
  };
  const go = (step: 1 | -1) => {
    const next = nextMatch(editor, places(), step);
    if (next && !next.match) wholeOf(editor)?.reveal(next.id);
    const match = next?.match ?? places().find(({ id, nth }) => id === next?.id && nth === next?.nth)?.match;
    if (match)
      editor.view.dispatch(
        editor.state.tr.setSelection(TextSelection.create(editor.state.doc, match.from, match.to)).scrollIntoView(),
      );
    showCount();
  };
  const replace = (which: readonly Match[]) => {
    const { tr } = editor.state;
    for (const match of which.toReversed()) replaceIn(tr, match, instead.value);
    editor.view.dispatch(tr);
    mark();
  };
  /** Includes blocks that are not shown. */
  const replaceAll = () => {
    const needle = folded(wanted.value);
    if (needle === "") return;
    wholeOf(editor)?.changeHidden(
      (block) => countIn(editor.schema, block, needle) > 0,
      (tr) => {
        for (const match of findAll(tr.doc, wanted.value).toReversed()) replaceIn(tr, match, instead.value);
      },
    );
    replace(matches());
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
    button("Replace all", replaceAll),
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
