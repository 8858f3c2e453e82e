import { type Child, readLevel } from "./levels.ts";
import type { Container } from "./tree-item.ts";

/** Pages of a level that the tree shows at once, so that no list of it has more than 200 rows. */
const PAGES = 2;

interface Page {
  readonly start: string | undefined;
  readonly children: readonly Child[];
}

/** The part of a long level that the tree shows. */
export interface LevelWindow {
  /** The cursors of the pages before the shown ones. */
  readonly earlier: readonly (string | undefined)[];
  readonly pages: readonly Page[];
  readonly next: string | null;
}

async function readPage(at: Container, start: string | undefined): Promise<Page & { next: string | null }> {
  const { children, next } = await readLevel(at, start);
  return { start, children, next };
}

/** Loads a level from its start, or reloads the shown part. */
export async function readWindow(at: Container, shown?: LevelWindow): Promise<LevelWindow> {
  const pages: Page[] = [];
  let next: string | null | undefined = shown?.pages[0]?.start;
  do {
    const page = await readPage(at, next ?? undefined);
    pages.push(page);
    next = page.next;
  } while (next !== null && pages.length < (shown?.pages.length ?? 1));
  // Everything shown is gone: start again.
  if (shown && shown.earlier.length > 0 && pages[0]?.children.length === 0) return readWindow(at);
  return { earlier: shown?.earlier ?? [], pages, next };
}

export async function showLater(at: Container, { earlier, pages, next }: LevelWindow): Promise<LevelWindow> {
  const page = await readPage(at, next ?? undefined);
  const all = [...pages, page];
  const gone = all.slice(0, -PAGES).map(({ start }) => start);
  return { earlier: [...earlier, ...gone], pages: all.slice(-PAGES), next: page.next };
}

export async function showEarlier(at: Container, { earlier, pages, next }: LevelWindow): Promise<LevelWindow> {
  const page = await readPage(at, earlier.at(-1));
  return {
    earlier: earlier.slice(0, -1),
    pages: [page, ...pages].slice(0, PAGES),
    next: pages.length < PAGES ? next : (pages.at(-1)?.start ?? null),
  };
}

export const childrenOf = ({ pages }: LevelWindow): Child[] => pages.flatMap(({ children }) => children);
