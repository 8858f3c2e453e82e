import { type ChainedCommands, type Editor, Extension, InputRule } from "@tiptap/core";
import type { ResolvedPos } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";

const isSummary = ({ parent }: ResolvedPos): boolean => parent.type.name === "detailsSummary";

/** No block can stand in a summary: one that is made there begins the content, in an empty line. */
export const belowSummary = (chain: ChainedCommands): ChainedCommands =>
  chain.command(({ tr, state: { schema } }) => {
    const { $from } = tr.selection;
    if (!isSummary($from)) return true;
    const place = $from.after();
    const line = schema.node("paragraph");
    const content = tr.doc.nodeAt(place);
    const isContent = content?.type.name === "detailsContent";
    if (!isContent) tr.insert(place, schema.node("detailsContent", null, line));
    else if (content.firstChild?.type !== line.type || content.firstChild.content.size > 0) tr.insert(place + 1, line);
    tr.setSelection(TextSelection.create(tr.doc, place + 2));
    return true;
  });

/** From the summary into the empty line that the content begins with, instead of one more before it. */
function enterContent({ state, view }: Editor): boolean {
  const { $head, empty } = state.selection;
  if (!empty || !isSummary($head)) return false;
  const line = $head.after() + 1;
  const first = state.doc.nodeAt(line);
  const dom = view.nodeDOM(line);
  const isShown = dom instanceof HTMLElement && dom.offsetParent !== null;
  if (!isShown || first?.type.name !== "paragraph" || first.content.size > 0) return false;
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, line + 1)).scrollIntoView());
  return true;
}

/**
 * Enter in an empty line of the content: the last line goes out, behind the details; any other is followed by one more.
 * Lifting it, as elsewhere, would cut the content in two.
 */
function leaveContent({ state, view, commands }: Editor): boolean {
  const { $from, empty } = state.selection;
  const depth = $from.depth - 1;
  if (!empty || depth < 2 || $from.node(depth).type.name !== "detailsContent" || $from.parent.content.size > 0)
    return false;
  const content = $from.node(depth);
  if ($from.index(depth) < content.childCount - 1) return commands.splitBlock();
  const { tr } = state;
  // The only line stays: there has to be one.
  const isOnly = content.childCount === 1;
  if (!isOnly) tr.delete($from.before(), $from.after());
  const behind = tr.mapping.map($from.after(depth - 1));
  tr.insert(behind, isOnly ? state.schema.node("paragraph") : $from.parent);
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, behind + 1)).scrollIntoView());
  return true;
}

/** Signs that wrap a line, or put a divider in its place. In a summary they are what was typed. */
const BLOCK_SIGNS = /^(?:\s*(?:[-+*>]|\d+\.|\[[ xX]?\])\s|---|—-|___\s|\*\*\*\s)$/;

export const SummarySigns = Extension.create({
  name: "summarySigns",
  // Before the rules of the blocks themselves.
  priority: 1001,
  addInputRules: () => [
    new InputRule({
      find: BLOCK_SIGNS,
      handler: ({ state: { tr, selection }, range, match }) => {
        if (!isSummary(selection.$from)) return null;
        tr.insertText(match[0], range.from, range.to);
        return undefined;
      },
    }),
  ],
});

/** Enter in details. Tiptap's own keys compare lines with new ones, and ours are never equal to those: they have ids. */
export const DetailsKeys = Extension.create({
  name: "detailsKeys",
  // Before Tiptap's own, behind the menus.
  priority: 200,
  addKeyboardShortcuts() {
    const { editor } = this;
    // Lists and quotes by keys would wrap the summary.
    const wrapping = ["Mod-Shift-7", "Mod-Shift-8", "Mod-Shift-9", "Mod-Shift-b"];
    const inSummary = () => isSummary(editor.state.selection.$from);
    return {
      Enter: () => enterContent(editor) || leaveContent(editor),
      ...Object.fromEntries(wrapping.map((key) => [key, inSummary])),
    };
  },
});
