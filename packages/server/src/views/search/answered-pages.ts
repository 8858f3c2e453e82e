import type { Db } from "../../db/database.ts";
import type { Answer } from "../../http/answer.ts";
import { type Place, pathTexts } from "./path-texts.ts";
import type { SearchInput } from "./schema.ts";
import { findState, StateMemory, type WorkspaceState } from "./workspace-state.ts";

/** A hit's document, and its path as the answer tells it. */
export type ToldPlace = { readonly place: Place; readonly path: string };
type Page = { readonly answer: Answer; readonly told: readonly ToldPlace[] };

/** Bytes of what surrounds the text of an answer, and of a place. */
const overhead = 1000;
const placeBytes = 200;

/**
 * Pages that were answered lately, given again for as long as they are true: the workspace's state is the same, and so
 * are the names of knowledge bases and folders, which change without an event. Both are read for every request.
 */
export class AnsweredPages {
  readonly #known = new StateMemory<string, Page>(8 * 1024 * 1024);

  async find(db: Db, workspaceId: string, input: SearchInput): Promise<Answer | undefined> {
    const known = this.#known.last(workspaceId);
    const page = known?.items.get(nameOf(input));
    if (!known || !page) return undefined;
    const places = page.told.map(({ place }) => place);
    const [state, pathOf] = await Promise.all([findState(db, workspaceId), pathTexts(db, workspaceId, places)]);
    if (!state || !known.isOf(state)) return undefined;
    return page.told.every(({ place, path }) => pathOf(place) === path) ? page.answer : undefined;
  }

  keep(
    workspaceId: string,
    state: WorkspaceState,
    input: SearchInput,
    answer: Answer,
    told: readonly ToldPlace[],
  ): void {
    if (!followsFromState(input)) return;
    const known = this.#known.of(workspaceId, state);
    const name = nameOf(input);
    const bytes = overhead + 2 * (name.length + (answer.dataJson?.length ?? 0)) + told.length * placeBytes;
    // One with other names of places takes the room of the one before.
    known.add(name, { answer, told }, known.items.has(name) ? 0 : bytes);
    this.#known.keep(workspaceId, known);
  }
}

/** Summaries, and which folders lie below another, change without an event; a place may be gone. */
const followsFromState = ({ knowledge_base_id, folder_id, include_summary }: SearchInput): boolean =>
  knowledge_base_id === undefined && folder_id === undefined && !include_summary;

const nameOf = (input: SearchInput): string => JSON.stringify(input);
