import type { Actor } from "../../events/actor.ts";

/** The author of words, as states and segments store it. */
export interface Writer {
  readonly user_id: string;
  /** The program that wrote for the person; null in the browser. */
  readonly client: string | null;
  readonly agent: boolean;
  /** The person who accepted what the writer had suggested. */
  readonly accepted_by?: string;
}

/** The author of an accepted suggestion, as the resulting version names it. */
export interface SuggestedBy {
  readonly type: "user" | "token";
  readonly id: string;
  /** The person, also if `id` is the token that they used. */
  readonly user_id: string;
  readonly name: string;
  readonly agent: boolean;
}

export function writerOf({ userId, tokenId, client }: Actor, suggestedBy?: SuggestedBy): Writer {
  if (!suggestedBy)
    return { user_id: userId, client: tokenId === null ? null : client.name, agent: tokenId !== null && client.agent };
  return {
    user_id: suggestedBy.user_id,
    client: suggestedBy.type === "token" ? suggestedBy.name : null,
    agent: suggestedBy.agent,
    accepted_by: userId,
  };
}

export const personWriter = (userId: string): Writer => ({ user_id: userId, client: null, agent: false });

/** The writers of both lists, each once. */
export function uniteWriters(writers: readonly Writer[], more: readonly Writer[]): readonly Writer[] {
  const known = new Set(writers.map((writer) => JSON.stringify(writer)));
  const added = more.filter((writer) => {
    const text = JSON.stringify(writer);
    return !known.has(text) && known.add(text);
  });
  return added.length === 0 ? writers : [...writers, ...added];
}

export const readWriters = (json: string): readonly Writer[] => JSON.parse(json);
