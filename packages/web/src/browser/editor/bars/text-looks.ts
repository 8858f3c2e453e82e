import type { ChainedCommands, Editor } from "@tiptap/core";
import type { Action } from "../../islands/common/menu.ts";

/** Colours that can be read on the page's own background; in the dark they are drawn towards the text's. */
const textColours = {
  Grey: "#5f6762",
  Red: "#b3261e",
  Orange: "#a85400",
  Green: "#2b6b36",
  Blue: "#1f5f99",
  Purple: "#7a4a9e",
};

/** Pale ones, behind text. */
const backgrounds = {
  Yellow: "#ffe28a",
  Green: "#cdebc8",
  Blue: "#cfe3f7",
  Pink: "#f7d3e3",
  Orange: "#ffd9b0",
  Grey: "#e2e4e3",
};

const colourText = (chain: ChainedCommands, color: string | null): ChainedCommands => {
  const set = chain.setMark("textStyle", { color });
  return color === null ? set.removeEmptyTextStyle() : set;
};

/** Choices for the colours of selected text. */
export function colourActions(editor: Editor): Action[] {
  const act = (
    label: string,
    swatch: string | undefined,
    run: (chain: ChainedCommands) => ChainedCommands,
  ): Action => ({
    label,
    ...(swatch !== undefined && { swatch }),
    run: () => void run(editor.chain().focus()).run(),
  });
  return [
    ...Object.entries(textColours).map(([name, value]) =>
      act(`${name} text`, value, (chain) => colourText(chain, value)),
    ),
    act("Default text colour", undefined, (chain) => colourText(chain, null)),
    ...Object.entries(backgrounds).map(([name, color]) =>
      act(`${name} highlight`, color, (chain) => chain.setHighlight({ color })),
    ),
    act("No highlight", undefined, (chain) => chain.unsetHighlight()),
  ];
}

type Side = "left" | "center" | "right";

/** The side of every line of text in the selection; left is what a line without a side has. */
const align = (chain: ChainedCommands, side: Side): ChainedCommands =>
  chain.command(({ tr, state }) => {
    const { from, to } = state.selection;
    tr.doc.nodesBetween(from, to, (node, position) => {
      if (node.type.name !== "paragraph" && node.type.name !== "heading") return true;
      tr.setNodeAttribute(position, "textAlign", side === "left" ? null : side);
      return false;
    });
    return true;
  });

const sides: readonly (readonly [Side, string])[] = [
  ["left", "Align left"],
  ["center", "Align centre"],
  ["right", "Align right"],
];

export const alignActions = (editor: Editor): Action[] =>
  sides.map(([side, label]) => ({ label, run: () => void align(editor.chain().focus(), side).run() }));
