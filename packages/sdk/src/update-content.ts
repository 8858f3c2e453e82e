import type { Client } from "./client.ts";
import { type ConflictOptions, retryConflicts } from "./conflicts.ts";
import type { Node, Written } from "./generated/api.ts";
import type { Suggested } from "./suggested.ts";

/** A body in Tiptap's shape. */
export interface TiptapDocument {
  readonly type: "doc";
  readonly content: Node[];
}

type Change<T> = (body: T, version: string) => T | undefined | Promise<T | undefined>;

/**
 * Changes a document's body: reads it, hands it to `change`, writes back what that returns. When somebody else wrote
 * in between, it begins again with their version, so `change` may run several times. `undefined` changes nothing. With a
 * token that may only suggest, what it returns is kept as a suggestion.
 *
 * The body is Markdown with anchors: a block whose anchor comment is kept keeps its id.
 */
export const updateMarkdown = (
  client: Client,
  id: string,
  change: Change<string>,
  options: ConflictOptions = {},
): Promise<Written | Suggested> =>
  retryConflicts(async () => {
    const { signal } = options;
    const query = { format: "markdown", annotate: "anchors" } as const;
    const { data } = await client.get("/documents/{id}/content", { path: { id }, query, signal });
    const content = await change(data.content ?? "", data.version);
    if (content === undefined || content === data.content) return unchanged(data.version);
    const body = { format: "markdown", content } as const;
    return (await client.put("/documents/{id}/content", { path: { id }, ifMatch: data.version, body, signal })).data;
  }, options);

/** Like `updateMarkdown`, with the exact body as nodes. The nodes given are yours to change. */
export const updateTiptap = (
  client: Client,
  id: string,
  change: Change<TiptapDocument>,
  options: ConflictOptions = {},
): Promise<Written | Suggested> =>
  retryConflicts(async () => {
    const { signal } = options;
    const { data } = await client.get("/documents/{id}/content", { path: { id }, signal });
    const current: TiptapDocument = { type: "doc", content: data.document?.content ?? [] };
    const document = await change(current, data.version);
    if (document === undefined) return unchanged(data.version);
    const body = { format: "tiptap-json", document: { ...document } } as const;
    return (await client.put("/documents/{id}/content", { path: { id }, ifMatch: data.version, body, signal })).data;
  }, options);

const unchanged = (version: string): Written => ({ version, changed_block_ids: [] });
