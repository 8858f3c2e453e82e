/** Names the people, agents and programs who wrote a page, and the author of the paragraph with the caret. */
import { defined } from "@svc/document/defined";
import type { BlockAuthor } from "@svc/sdk";
import { timeText } from "../../../shared/time-text.ts";
import { api } from "../common/api.ts";
import { element } from "../common/element.ts";
import { CARET_BLOCK } from "../living-page/events.ts";

type Writer = NonNullable<BlockAuthor["by"]>;

/** Pages of a hundred blocks that are read. */
const MAX_PAGES = 20;

const nameOf = ({ name, client }: Writer): string => `${name ?? "A former member"}${client ? ` via ${client}` : ""}`;

function writerPart(writer: Writer): (Node | string)[] {
  const mark = writer.agent ? [" ", element("span", { class: "tag" }, "agent")] : [];
  const accepted = writer.accepted_by ? [`, accepted by ${writer.accepted_by.name ?? "a former member"}`] : [];
  return [element("bdi", {}, nameOf(writer)), ...mark, ...accepted];
}

const timePart = (at: number): HTMLElement =>
  element("time", { datetime: new Date(at).toISOString(), title: new Date(at).toLocaleString() }, timeText(at));

async function readAll(id: string): Promise<BlockAuthor[]> {
  const found: BlockAuthor[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor !== null && { cursor }) };
    const answer: { data: readonly BlockAuthor[]; page: { next_cursor: string | null } } = await api.get(
      "/documents/{id}/blame",
      { path: { id }, query },
    );
    found.push(...answer.data);
    cursor = answer.page.next_cursor;
    if (cursor === null) break;
  }
  return found;
}

function listOf(blocks: readonly BlockAuthor[]): HTMLElement[] {
  const by = Map.groupBy(
    blocks.flatMap(({ by: writer, at }) => (writer && at !== null ? [{ writer, at }] : [])),
    ({ writer }) => `${writer.user_id} ${writer.client} ${writer.agent}`,
  );
  return [...by.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((own) => {
      const last = Math.max(...own.map(({ at }) => at));
      const count = own.length === 1 ? "1 paragraph" : `${own.length} paragraphs`;
      return element(
        "li",
        {},
        ...writerPart(defined(own[0]).writer),
        element("small", {}, `${count} · `, timePart(last)),
      );
    });
}

/** The block that contains the selection of a reader. */
function selectedBlock(): string | undefined {
  const node = getSelection()?.anchorNode;
  const shown = node instanceof Element ? node : node?.parentElement;
  return shown?.closest<HTMLElement>(".prose .block")?.id;
}

/** Fills in the authors; called when they are first shown. */
export async function startAuthors(isShown: () => boolean): Promise<void> {
  const section = document.querySelector<HTMLElement>("[data-authors]");
  const id = section?.dataset.authors;
  const list = section?.querySelector("[data-author-list]");
  const paragraph = section?.querySelector<HTMLElement>("[data-paragraph-author]");
  if (!id || !list || !paragraph) return;
  let current: string | undefined;
  const show = async (block: string | undefined) => {
    if (block === undefined || block === current || !isShown()) return;
    current = block;
    const query = { block_id: block };
    const [found] = (await api.get("/documents/{id}/blame", { path: { id }, query })).data;
    if (current !== block) return;
    paragraph.hidden = !found?.by;
    if (found?.by && found.at !== null)
      paragraph.replaceChildren("This paragraph: ", ...writerPart(found.by), ", ", timePart(found.at));
  };
  const quietly = (block: string | undefined) => void show(block).catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (block: string | undefined) => {
    clearTimeout(timer);
    timer = setTimeout(() => quietly(block), 200);
  };
  document.addEventListener("selectionchange", () => {
    const block = selectedBlock();
    if (block !== undefined) soon(block);
  });
  document.addEventListener(CARET_BLOCK, (event) => {
    if (event instanceof CustomEvent) soon(String(event.detail));
  });
  list.replaceChildren(...listOf(await readAll(id)));
  quietly(selectedBlock());
}
