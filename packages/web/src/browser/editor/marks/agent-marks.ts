import { type Editor, Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { followPrograms } from "../../live-page/programs.ts";
import { isRemote, isWindow } from "../binding/remote.ts";
import { idOfNode } from "../block-json.ts";
import { changedRange } from "../changed-blocks.ts";

/** How long a mark is shown. */
const SHOWN_MS = 4000;
/** Max time between a change and the event that names its author. */
const TOGETHER_MS = 10_000;

const key = new PluginKey<DecorationSet>("agentMarks");

interface Mark {
  readonly ids: ReadonlySet<string>;
  readonly name: string;
}

/** Watches programs' changes: the blocks arrive over the live socket, the author's name over the event stream. */
class Watcher {
  #isProgram = false;
  #blocks: { readonly ids: Set<string>; readonly at: number } | undefined;
  #author: { readonly name: string; readonly at: number } | undefined;
  show: (mark: Mark) => void = () => undefined;

  /** The next remote transaction shows what the server merged, not what somebody typed. */
  rowComes(isServers: boolean): void {
    this.#isProgram = isServers;
  }

  changed(ids: readonly string[]): void {
    if (!this.#isProgram || ids.length === 0) return;
    const isNew = !this.#blocks || Date.now() - this.#blocks.at > TOGETHER_MS;
    if (isNew) this.#blocks = { ids: new Set(), at: Date.now() };
    for (const id of ids) this.#blocks?.ids.add(id);
    this.#meet();
  }

  wrote(name: string): void {
    this.#author = { name, at: Date.now() };
    this.#meet();
  }

  #meet(): void {
    const isTogether = this.#blocks && this.#author && Math.abs(this.#blocks.at - this.#author.at) < TOGETHER_MS;
    if (!isTogether || !this.#blocks || !this.#author) return;
    const mark = { ids: this.#blocks.ids, name: this.#author.name };
    this.#blocks = undefined;
    this.#author = undefined;
    // Not within the transaction that is being applied.
    queueMicrotask(() => this.show(mark));
  }
}

interface AgentMarks {
  readonly extension: Extension;
  /** Before what a row of the live state changes is shown. */
  readonly rowComes: (connection: string) => void;
  readonly bind: (editor: Editor, documentId: string, news: HTMLElement) => void;
}

/** Marks for a moment what an agent or script changed, with its name. */
export function agentMarks(): AgentMarks {
  const watcher = new Watcher();
  const extension = Extension.create({
    name: "agentMarks",
    addProseMirrorPlugins: () => [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: () => DecorationSet.empty,
          apply: (tr, set) => {
            const mark: Mark | null | undefined = tr.getMeta(key);
            if (mark === null) return DecorationSet.empty;
            if (mark) return DecorationSet.create(tr.doc, marksOf(tr.doc, mark));
            if (tr.docChanged && isRemote(tr) && !isWindow(tr)) watcher.changed(blocksIn(tr.doc, changedRange(tr)));
            return tr.docChanged ? set.map(tr.mapping, tr.doc) : set;
          },
        },
        props: { decorations: (state) => key.getState(state) },
      }),
    ],
  });
  return {
    extension,
    rowComes: (connection) => watcher.rowComes(connection === ""),
    bind: (editor, documentId, news) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const dispatch = (mark: Mark | null) => {
        if (!editor.isDestroyed)
          editor.view.dispatch(editor.state.tr.setMeta(key, mark).setMeta("addToHistory", false));
      };
      watcher.show = (mark) => {
        dispatch(mark);
        news.textContent = `${mark.name} edited ${mark.ids.size === 1 ? "a paragraph" : `${mark.ids.size} paragraphs`}.`;
        clearTimeout(timer);
        timer = setTimeout(() => dispatch(null), SHOWN_MS);
      };
      followPrograms(documentId, (name) => watcher.wrote(name));
    },
  };
}

function blocksIn(doc: EditorNode, { from, to }: { from: number; to: number }): string[] {
  const ids: string[] = [];
  doc.forEach((node, position) => {
    const id = idOfNode(node);
    if (id !== undefined && position < to && position + node.nodeSize > from) ids.push(id);
  });
  return ids;
}

function marksOf(doc: EditorNode, { ids, name }: Mark): Decoration[] {
  const marks: Decoration[] = [];
  doc.forEach((node, position) => {
    if (ids.has(idOfNode(node) ?? ""))
      marks.push(Decoration.node(position, position + node.nodeSize, { class: "agent-changed", "data-by": name }));
  });
  return marks;
}
