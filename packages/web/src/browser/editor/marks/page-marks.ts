import { pageByTitle } from "@svc/document/read/page-titles";
import { ApiError } from "@svc/sdk";
import { Extension } from "@tiptap/core";
import type { Node as EditorNode, Mark } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { api } from "../../islands/common/api.ts";
import { element } from "../../islands/common/element.ts";
import { changedRange } from "../changed-blocks.ts";

/** So many pages are asked for at a time. */
const AT_ONCE = 4;

const key = new PluginKey<DecorationSet>("pageMarks");

/** Titles of the pages that this document links to; null where there is none, or none that the reader may see. */
const titles = new Map<string, string | null>();
const asked = new Set<string>();

/** Takes over the titles that came with the page; of the pages named there, null stands for one that is gone. */
export function knowTitles({ dataset }: HTMLElement): void {
  const known: Readonly<Record<string, string | null>> = JSON.parse(dataset.linkTitles ?? "{}");
  for (const [page, title] of Object.entries(known)) {
    titles.set(page, title);
    asked.add(page);
  }
}

const pageOf = (href: unknown): string | undefined =>
  typeof href === "string" ? /^svc:\/\/doc\/(doc_\w+)/.exec(href)?.[1] : undefined;

interface Link {
  /** Its text is the title that the page had, not words of the writer. */
  readonly isTitle: boolean;
  readonly marks: readonly Mark[];
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly page: string;
}

function linksIn(doc: EditorNode, { from, to }: { from: number; to: number }): Link[] {
  const found: Link[] = [];
  if (from > to) return found;
  doc.nodesBetween(from, to, (node, position) => {
    const link = node.marks.find(({ type }) => type.name === "link")?.attrs;
    const page = node.isText ? pageOf(link?.href) : undefined;
    if (!page) return;
    const isTitle = pageByTitle(node.text, link) !== undefined;
    found.push({
      from: position,
      to: position + node.nodeSize,
      text: node.text ?? "",
      page,
      isTitle,
      marks: node.marks,
    });
  });
  return found;
}

function markOf({ from, to, text, page, isTitle, marks }: Link): Decoration[] {
  const title = titles.get(page);
  if (title === undefined) return [];
  if (title === null)
    return [Decoration.inline(from, to, { class: "link-dangling", title: "This page no longer exists." })];
  if (isTitle && title !== text)
    return [
      Decoration.inline(from, to, { class: "link-renamed" }),
      Decoration.widget(from, () => element("span", { class: "link-page" }, title), { key: title, marks }),
    ];
  return [Decoration.inline(from, to, { class: "link-page", title: title === text ? title : `Now called “${title}”` })];
}

function remark(set: DecorationSet, doc: EditorNode, range: { from: number; to: number }): DecorationSet {
  const links = linksIn(doc, range);
  let now = set;
  for (const link of links) now = now.remove(now.find(link.from, link.to));
  return now.add(doc, links.flatMap(markOf));
}

const everything = (doc: EditorNode) => ({ from: 0, to: doc.content.size });

/** Asks for the titles that are not known yet, and shows them. */
async function learn(view: EditorView, range: { from: number; to: number }): Promise<void> {
  const fresh = [...new Set(linksIn(view.state.doc, range).map(({ page }) => page))].filter((page) => !asked.has(page));
  for (const page of fresh) asked.add(page);
  for (let at = 0; at < fresh.length; at += AT_ONCE) {
    await Promise.all(fresh.slice(at, at + AT_ONCE).map(learnOne));
    if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true).setMeta("addToHistory", false));
  }
}

const learnOne = async (page: string): Promise<void> => {
  try {
    titles.set(page, (await api.get("/documents/{id}", { path: { id: page } })).data.title);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) titles.set(page, null);
    else asked.delete(page);
  }
};

/** Links to pages show the current title of the page; links to pages that do not exist are marked. */
export const PageMarks = Extension.create({
  name: "pageMarks",
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_, { doc }) => remark(DecorationSet.empty, doc, everything(doc)),
        apply: (tr, set) => {
          if (tr.getMeta(key) === true) return remark(DecorationSet.empty, tr.doc, everything(tr.doc));
          return tr.docChanged ? remark(set.map(tr.mapping, tr.doc), tr.doc, changedRange(tr)) : set;
        },
      },
      props: { decorations: (state) => key.getState(state) },
      view: (view) => {
        void learn(view, everything(view.state.doc));
        return {
          update: (now, before) => {
            if (now.state.doc === before.doc) return;
            const start = before.doc.content.findDiffStart(now.state.doc.content);
            const end = before.doc.content.findDiffEnd(now.state.doc.content);
            if (start !== null && end) void learn(now, { from: start, to: Math.max(start, end.b) });
          },
        };
      },
    }),
  ],
});
