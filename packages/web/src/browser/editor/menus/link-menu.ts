import type { OutlineItem } from "@svc/sdk";
import type { JSONContent } from "@tiptap/core";
import { api } from "../../islands/common/api.ts";
import { attempt } from "../../islands/common/toast.ts";
import { followRange } from "./follow-range.ts";
import { markOwnSpace } from "./own-space.ts";
import type { Choice } from "./popup.ts";
import type { Trigger, Typed } from "./triggers.ts";

interface LinkAttrs {
  readonly href: string;
  readonly title?: string;
}

/** A link that reads as its own `title` shows the title that the page has when it is read. */
const linkByTitle = (id: string, title: string): LinkAttrs => ({ href: `svc://doc/${id}`, title });

type TypedRange = Pick<Typed, "editor" | "place">;

/** Puts this in place of what was typed. The caret goes behind it, or stays where one has typed on. */
function put({ editor, place }: TypedRange, content: string | JSONContent[]): void {
  const range = place();
  const updateSelection = editor.state.selection.to === range.to;
  const hasSpace = updateSelection && typeof content !== "string" && content.at(-1)?.text === " ";
  editor
    .chain()
    .focus()
    .insertContentAt(range, content, { updateSelection })
    .command(({ tr }) => {
      if (hasSpace) markOwnSpace(tr);
      return true;
    })
    .run();
}

/** The typed text becomes a link that reads like this. */
const putLink = (typed: TypedRange, label: string, attrs: LinkAttrs): void =>
  put(typed, [
    { type: "text", text: label, marks: [{ type: "link", attrs }] },
    { type: "text", text: " " },
  ]);

async function findPages(typed: Typed, q: string): Promise<Choice[]> {
  const { data } =
    q === ""
      ? await api.get("/me/recent", { query: { limit: 8 } })
      : await api.get("/documents", { query: { q, limit: 8 } });
  return data.map((found) => {
    const id = "document_id" in found ? found.document_id : found.id;
    return {
      id,
      label: found.title,
      hint: "Page",
      run: () => putLink(typed, found.title, linkByTitle(id, found.title)),
    };
  });
}

const flat = (items: readonly OutlineItem[]): OutlineItem[] => items.flatMap((item) => [item, ...flat(item.children)]);

/** `Page#heading`: the headings of the page that the first part names best. */
async function findHeadings(typed: Typed, page: string, heading: string): Promise<Choice[]> {
  const { data } = await api.get("/documents", { query: { q: page, limit: 1 } });
  const found = data[0];
  if (!found) return [];
  const outline = await api.get("/documents/{id}/outline", { path: { id: found.id } });
  return flat(outline.data.items)
    .filter(({ text }) => text.toLowerCase().includes(heading.toLowerCase()))
    .map(({ text, block_id }) => ({
      id: block_id,
      label: text,
      hint: found.title,
      run: () => putLink(typed, text, { href: `svc://doc/${found.id}#block=${block_id}` }),
    }));
}

/** A page beside this one, and a link to it. */
const makePage = ({ editor, place }: Typed, documentId: string, title: string): Choice => ({
  label: `New page “${title}”`,
  run: () => {
    const typed = followRange(editor, place());
    void attempt(async () => {
      const { data: here } = await api.get("/documents/{id}", { path: { id: documentId } });
      const { knowledge_base_id, folder_id } = here;
      const body = { title, document_type: "document", knowledge_base_id, folder_id } as const;
      const { data } = await api.post("/documents", { body });
      putLink({ editor, place: typed.place }, title, linkByTitle(data.id, title));
    }).finally(typed.end);
  },
});

/** A day as it is written, so many days from now, by the clock of whoever writes. */
function dayFrom(now: number, step: number): string {
  const day = new Date(now);
  day.setDate(day.getDate() + step);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Days by name, or as they are written. */
function findDates(typed: Typed, now: number): Choice[] {
  const days = { today: 0, tomorrow: 1, yesterday: -1 };
  return Object.entries(days)
    .filter(([name]) => name.startsWith(typed.query.toLowerCase()))
    .map(([name, step]) => {
      const day = dayFrom(now, step);
      return { label: name[0]!.toUpperCase() + name.slice(1), hint: day, run: () => put(typed, `${day} `) };
    });
}

const find = async (typed: Typed, documentId: string, mayMake: boolean): Promise<Choice[]> => {
  const q = typed.query.trim();
  const [page = "", heading] = q.split("#");
  if (heading !== undefined && page !== "") return findHeadings(typed, page.trim(), heading.trim());
  const pages = await findPages(typed, q);
  return q === "" || !mayMake ? pages : [...pages, makePage(typed, documentId, q)];
};

/** `[[` links a page or, behind `#`, one of its headings. */
export const pageLinks = (documentId: string, mayMake: boolean): Trigger => ({
  label: "Link to a page",
  pattern: /(?<sign>\[\[)(?<query>[^[\]\ufffc]{0,80})$/u,
  find: (typed) => find(typed, documentId, mayMake),
});

/** People who may see the page, by a part of their name. */
async function findPeople(typed: Typed, documentId: string): Promise<Choice[]> {
  const { query: q } = typed;
  const { data } = await api.get("/members", { query: { document_id: documentId, limit: 5, ...(q && { q }) } });
  return data.map(({ id, name }) => ({
    id,
    label: name,
    hint: "Person",
    run: () =>
      put(typed, [
        { type: "mention", attrs: { kind: "user", id, label: name } },
        { type: "text", text: " " },
      ]),
  }));
}

/** `@` mentions people, and also links pages and offers days. */
export const atLinks = (documentId: string, mayMake: boolean): Trigger => ({
  label: "Mention",
  pattern: /(?:^|\s)(?<sign>@)(?<query>[\p{L}\d][\p{L}\d #.-]{0,60}|)$/u,
  find: async (typed) => [
    ...(await findPeople(typed, documentId)),
    ...findDates(typed, Date.now()),
    ...(typed.query === "" ? [] : await find(typed, documentId, mayMake)),
  ],
});
