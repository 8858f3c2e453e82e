import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import { type Place, pathTexts } from "../../../domain/library/documents/path-texts.ts";
import type { Answer } from "../../../http/answer.ts";
import type { SearchInput } from "../schema.ts";
import { numberOf, SeenLately } from "./seen-lately.ts";
import { findState, isSameState, type WorkspaceState } from "./workspace-state.ts";

/** A hit's document, and its path in the answer. */
export type AnsweredPath = { readonly place: Place; readonly path: string };
type Page = { readonly answer: Answer; readonly places: readonly AnsweredPath[] };

/** Estimated bytes around the text of an answer, and of a path. */
const OVERHEAD_BYTES = 1000;
const PLACE_BYTES = 200;

const bytesOf = (name: string, { answer, places }: Page): number =>
  OVERHEAD_BYTES + 2 * (name.length + (answer.dataJson?.length ?? 0)) + places.length * PLACE_BYTES;

/** The pages of one state of a workspace, by request. */
class CachedPages {
  readonly state: WorkspaceState;
  readonly pages = new Map<string, Page>();
  bytes = 0;

  constructor(state: WorkspaceState) {
    this.state = state;
  }

  add(name: string, page: Page): void {
    // A page with new names of folders replaces the previous one.
    if (!this.pages.has(name)) this.bytes += bytesOf(name, page);
    this.pages.set(name, page);
  }
}

const PAGES = new Cache<CachedPages>("search_answers", { share: 1 / 32 });

/**
 * Recent answers, reused while they are true: the workspace's state is the same, and so are the names of knowledge
 * bases and folders, which change without an event. Both are read for every request. Most queries come once, so a page
 * is stored when it is answered for the second time: storing every page would make each answer a twelfth slower.
 */
export class AnsweredPages {
  /** Identifies the database. */
  readonly #key: string;
  readonly #asked = new SeenLately();

  constructor(key: string) {
    this.#key = key;
  }

  async find(db: Reader, workspaceId: string, input: SearchInput): Promise<Answer | undefined> {
    const cached = PAGES.get(this.#key + workspaceId);
    const page = cached?.pages.get(nameOf(input));
    if (!cached || !page) return undefined;
    const documents = page.places.map(({ place }) => place);
    const [state, pathOf] = await Promise.all([findState(db, { workspaceId }), pathTexts(db, workspaceId, documents)]);
    if (!state || !isSameState(state, cached.state)) return undefined;
    return page.places.every(({ place, path }) => pathOf(place) === path) ? page.answer : undefined;
  }

  put(workspaceId: string, state: WorkspaceState, input: SearchInput, page: () => Page): void {
    if (!followsFromState(input)) return;
    const name = nameOf(input);
    if (!this.#asked.again(numberOf(workspaceId + name))) return;
    const last = PAGES.get(this.#key + workspaceId);
    const pages = last && isSameState(last.state, state) ? last : new CachedPages(state);
    pages.add(name, page());
    PAGES.put(this.#key + workspaceId, pages, pages.bytes);
  }
}

/** Summaries and the folder tree change without an event, and a folder may be deleted. */
const followsFromState = ({ knowledge_base_id, folder_id, document_id, include_summary }: SearchInput): boolean =>
  knowledge_base_id === undefined && folder_id === undefined && document_id === undefined && !include_summary;

const nameOf = (input: SearchInput): string => JSON.stringify(input);
