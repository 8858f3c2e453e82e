import { defined } from "@svc/document/defined";
import type { Random } from "../corpus/random.ts";
import { sentence } from "../corpus/text.ts";
import type { Api } from "../harness/api.ts";
import type { Requests } from "../harness/drive.ts";
import { type Blocks, blockPath } from "../harness/stand.ts";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const anyMatch = { "if-match": "*" };

/** What edits are made with. */
interface Editor {
  readonly api: Api;
  readonly random: Random;
}

/** Edits of single blocks, in one document after another, each time with another text. */
export const edits =
  ({ api, random }: Editor, documents: readonly Blocks[]): Requests =>
  (i) => {
    const { id, blocks } = defined(documents[i % documents.length]);
    const block = defined(blocks[Math.floor(i / documents.length) % blocks.length]);
    const body = { node: paragraph(sentence(random, 9)) };
    return api.bytes({ method: "PATCH", path: blockPath(id, block), headers: anyMatch, body });
  };

/** Batches that replace up to a hundred blocks. */
export const batches =
  ({ api, random }: Editor, documents: readonly Blocks[]): Requests =>
  (i) => {
    const { id, blocks } = defined(documents[i % documents.length]);
    const operations = blocks.map((block_id) => ({ op: "replace", block_id, node: paragraph(sentence(random, 9)) }));
    const path = `/api/v1/documents/${id}/batch`;
    return api.bytes({ method: "POST", path, headers: anyMatch, body: { operations } });
  };

/** The number at the end of a sentence: of the one before bold text, or of the first. */
const numberIn = (text: string): RegExp => (text.includes(". **") ? /\d+\.(?= \*\*)/ : /\d+\.(?=\n)/);

/** The whole body of one document after another, of which one paragraph changes. */
export const rewrites =
  ({ api }: Editor, documents: readonly { readonly id: string; readonly anchored: string }[]): Requests =>
  (i) => {
    const { id, anchored } = defined(documents[i % documents.length]);
    const content = anchored.replace(numberIn(anchored), `${i}.`);
    const path = `/api/v1/documents/${id}/content`;
    return api.bytes({ method: "PUT", path, headers: anyMatch, body: { format: "markdown", content } });
  };

/** Bodies as Markdown with the ids of their blocks. */
export async function anchoredOf(api: Api, ids: readonly string[]): Promise<{ id: string; anchored: string }[]> {
  const path = (i: number) => `/api/v1/documents/${ids[i]}/content?format=markdown&annotate=anchors`;
  const texts = await api.each(ids.length, (i) => ({ method: "GET", path: path(i) }));
  return texts.map((anchored, i) => ({ id: defined(ids[i]), anchored }));
}
