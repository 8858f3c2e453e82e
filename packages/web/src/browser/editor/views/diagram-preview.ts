import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { showDiagram } from "../../islands/common/diagrams.ts";
import { element } from "../../islands/common/element.ts";
import { idOfNode } from "../block-json.ts";
import { changedRange, nodesIn } from "../changed-blocks.ts";

/** After the last key in its source, before a diagram is drawn again. */
const REST_MS = 300;

const key = new PluginKey<DecorationSet>("diagrams");
const everything = (doc: EditorNode) => ({ from: 0, to: doc.content.size });
const isDiagram = ({ attrs }: EditorNode): boolean => attrs.language === "mermaid";

/** The figures of one editor, by the id of their block: a changed source keeps its picture until the next is drawn. */
class Figures {
  readonly #figures = new Map<string, { readonly figure: HTMLElement; timer?: ReturnType<typeof setTimeout> }>();

  of(id: string, source: string): HTMLElement {
    const known = this.#figures.get(id) ?? {
      figure: element("figure", { class: "diagram", contenteditable: "false", "data-diagram-of": id }),
    };
    this.#figures.set(id, known);
    if (known.figure.dataset.source !== source) {
      known.figure.dataset.source = source;
      clearTimeout(known.timer);
      known.timer = setTimeout(() => void draw(known.figure, source), REST_MS);
    }
    return known.figure;
  }
}

async function draw(figure: HTMLElement, source: string): Promise<void> {
  if (source.trim() === "") {
    figure.replaceChildren();
    return;
  }
  const problem = await showDiagram(figure, source);
  figure.querySelector(".diagram-problem")?.remove();
  if (problem !== undefined) figure.append(element("pre", { class: "diagram-problem", role: "note" }, problem));
}

/** A diagram's picture below its source. */
export const DiagramPreviews = Extension.create({
  name: "diagramPreviews",
  addProseMirrorPlugins() {
    const figures = new Figures();
    const previewOf = (node: EditorNode, position: number): Decoration[] => {
      const id = idOfNode(node);
      if (!isDiagram(node) || id === undefined) return [];
      const figure = figures.of(id, node.textContent);
      return [
        Decoration.widget(position + node.nodeSize, figure, { key: `diagram:${id}`, side: -1, ignoreSelection: true }),
      ];
    };
    const redraw = (set: DecorationSet, doc: EditorNode, range: { from: number; to: number }): DecorationSet => {
      let now = set;
      for (const { node, position } of nodesIn(doc, "codeBlock", range)) {
        const end = position + node.nodeSize;
        now = now.remove(now.find(end, end)).add(doc, previewOf(node, position));
      }
      return now;
    };
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: (_config, { doc }) => redraw(DecorationSet.empty, doc, everything(doc)),
          apply: (tr, set) => (tr.docChanged ? redraw(set.map(tr.mapping, tr.doc), tr.doc, changedRange(tr)) : set),
        },
        props: { decorations: (state) => key.getState(state) },
      }),
    ];
  },
});
