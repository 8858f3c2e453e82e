import { type Editor, Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { api } from "../islands/common/api.ts";
import { element } from "../islands/common/element.ts";
import { attempt } from "../islands/common/toast.ts";
import { idOfNode } from "./block-json.ts";
import { type Heading, wholeOf } from "./part/whole-document.ts";

interface Folded {
  readonly ids: ReadonlySet<string>;
  readonly marks: DecorationSet;
}

const key = new PluginKey<Folded>("sections");

const levelOf = (node: EditorNode): number => (node.type.name === "heading" ? Number(node.attrs.level) : 7);

/** Hides the blocks below each folded heading, up to the next heading of the same or a higher level. */
function marksOf(
  doc: EditorNode,
  ids: ReadonlySet<string>,
  { unfold, above }: { unfold: (id: string) => void; above: (id: string | undefined) => readonly Heading[] },
): DecorationSet {
  if (ids.size === 0) return DecorationSet.empty;
  const marks: Decoration[] = [];
  let hiddenBelow = 7;
  // In a long document the headings above are hidden, but blocks they fold may not be.
  for (const { id, level } of above(doc.firstChild ? idOfNode(doc.firstChild) : undefined)) {
    if (level > hiddenBelow) continue;
    hiddenBelow = ids.has(id) ? level : 7;
  }
  doc.forEach((node, position) => {
    const end = position + node.nodeSize;
    const level = levelOf(node);
    if (level <= hiddenBelow && level < 7) hiddenBelow = 7;
    if (hiddenBelow < 7) {
      marks.push(Decoration.node(position, end, { class: "folded-away" }));
      return;
    }
    const id = idOfNode(node);
    if (level === 7 || id === undefined || !ids.has(id)) return;
    hiddenBelow = level;
    marks.push(Decoration.node(position, end, { class: "folded" }));
    marks.push(Decoration.widget(end - 1, () => moreButton(() => unfold(id)), { key: `folded:${id}`, side: 1 }));
  });
  return DecorationSet.create(doc, marks);
}

function moreButton(open: () => void): HTMLElement {
  const button = element(
    "button",
    { type: "button", class: "folded-more", contenteditable: "false", "aria-label": "Unfold the section" },
    "…",
  );
  button.addEventListener("click", open);
  return button;
}

/** The heading of the section that a position is in. */
function headingAt(doc: EditorNode, index: number): EditorNode | undefined {
  for (let at = Math.min(index, doc.childCount - 1); at >= 0; at--)
    if (doc.child(at).type.name === "heading") return doc.child(at);
  return undefined;
}

/** Folds or unfolds a section, for everybody: the document keeps which ones are folded. */
export function toggleSection(editor: Editor, documentId: string, id: string): void {
  const ids = new Set(key.getState(editor.state)?.ids);
  if (!ids.delete(id)) ids.add(id);
  // Forgets folded headings that no longer exist.
  const there = new Set(wholeOf(editor)?.order);
  editor.state.doc.forEach((node) => void there.add(idOfNode(node) ?? ""));
  const collapsed_block_ids = [...ids].filter((one) => there.has(one));
  editor.view.dispatch(editor.state.tr.setMeta(key, new Set(collapsed_block_ids)).setMeta("addToHistory", false));
  void attempt(async () => {
    await api.patch("/documents/{id}", { path: { id: documentId }, body: { collapsed_block_ids } });
  });
}

export const isFolded = (editor: Editor, id: string): boolean => key.getState(editor.state)?.ids.has(id) === true;

export const foldedSections = (documentId: string, isSaved: boolean) =>
  Extension.create({
    name: "foldedSections",
    addKeyboardShortcuts() {
      return {
        "Mod-.": () => {
          const { editor } = this;
          const { doc, selection } = editor.state;
          const heading = headingAt(doc, selection.$from.index(0));
          const id = heading
            ? idOfNode(heading)
            : wholeOf(editor)
                ?.headingsAbove(idOfNode(doc.child(0)))
                .at(-1)?.id;
          if (id !== undefined && isSaved) toggleSection(editor, documentId, id);
          return id !== undefined;
        },
      };
    },
    addProseMirrorPlugins() {
      const { editor } = this;
      const around = {
        unfold: (id: string) => toggleSection(editor, documentId, id),
        above: (id: string | undefined) => wholeOf(editor)?.headingsAbove(id) ?? [],
      };
      const given = document.querySelector<HTMLElement>("[data-live-editor]")?.dataset.collapsed ?? "[]";
      const listed: string[] = JSON.parse(given);
      const ids: ReadonlySet<string> = new Set(listed);
      return [
        new Plugin<Folded>({
          key,
          state: {
            init: (_config, { doc }) => ({ ids, marks: marksOf(doc, ids, around) }),
            apply: (tr, folded) => {
              const now: ReadonlySet<string> = tr.getMeta(key) ?? folded.ids;
              if (now === folded.ids && !tr.docChanged) return folded;
              return { ids: now, marks: marksOf(tr.doc, now, around) };
            },
          },
          props: { decorations: (state) => key.getState(state)?.marks },
        }),
      ];
    },
  });
