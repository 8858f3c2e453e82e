import assert from "node:assert/strict";
import { eachBlockId } from "@svc/document/blocks/find";
import { defined } from "@svc/document/defined";
import { validateBody } from "@svc/document/schema/validate";
import { unpackFrame } from "@svc/live/frames";
import { LiveState } from "@svc/live/live-state";
import type { LiveSession } from "@svc/live/session";
import { sameBlocks } from "@svc/live/testing/plain";
import type { Database } from "@svc/server/db/database";
import { readNodes } from "../../support/bodies.ts";
import { assertStatus, Client, type Loose } from "../../support/client.ts";
import { fetchState } from "../../support/live-editor.ts";
import { until } from "../../support/until.ts";
import { checkDocument } from "../mixed/check-bodies.ts";
import { type Author, checkWords, wordsIn } from "./words.ts";

interface Aftermath {
  readonly documentId: string;
  readonly editors: readonly LiveSession[];
  readonly authors: readonly Author[];
  /** Addresses of the processes. */
  readonly urls: readonly string[];
  readonly cookie: string;
  readonly token: string;
  readonly database: Database;
}

/** Every copy of a document is its body, and the body is what the model says. */
export async function checkCopies(aftermath: Aftermath): Promise<void> {
  const { documentId, editors, authors, urls, cookie, token, database } = aftermath;
  const clients = urls.map((url) => new Client(url, token));
  const client = defined(clients[0]);
  await until("every editor's copy is the body", async () => {
    const { nodes } = await readNodes(client, documentId);
    return editors.every(({ live }) => sameBlocks(live.blocks, nodes));
  });
  const { nodes } = await readNodes(client, documentId);
  checkWords(documentId, nodes, authors);
  validateBody({ type: "doc", content: nodes }, { maxCharacters: 1e9 });
  const ids: string[] = [];
  eachBlockId(nodes, (id) => void ids.push(id));
  assert.equal(new Set(ids).size, ids.length, "an id is there twice");
  const words = nodes.flatMap((node) => wordsIn(textIn(node)));
  for (const [i, url] of urls.entries()) {
    const parts = defined(unpackFrame(await fetchState({ url, cookie, documentId }))).parts;
    assert.ok(sameBlocks(LiveState.fromUpdates(parts).blocks, nodes), "the live state is not the body");
    const path = `/documents/${documentId}/content?format=markdown`;
    assert.deepEqual(wordsIn(assertStatus(await defined(clients[i]).get(path), 200).text), words);
  }
  const { data: live } = assertStatus(await client.get(`/documents/${documentId}/live`), 200);
  assert.equal(live.unsaved_since, null);
  await checkStored(database, documentId, nodes);
  for (const author of authors) await checkFound(client, documentId, author);
}

const textIn = (node: Loose): string => node.text ?? (node.content ?? []).map(textIn).join("");

async function checkStored({ read }: Database, id: string, nodes: readonly Loose[]): Promise<void> {
  const row = await read.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  assert.deepEqual((await checkDocument(read, row)).blocks, nodes);
}

/** Search finds an author's last word that stands, and none that was taken out. */
async function checkFound(client: Client, documentId: string, { words }: Author): Promise<void> {
  const own = words.filter((word) => word.documentId === documentId && !word.isOpen);
  const isFound = async (word: string) => {
    const { data } = assertStatus(await client.get(`/search/v2?q=${word}`), 200);
    return data.some((hit: Loose) => hit.document_id === documentId);
  };
  const [last, gone] = [own.findLast(({ isGone }) => !isGone), own.findLast(({ isGone }) => isGone)];
  if (last) await until(`${last.text} is found`, () => isFound(last.text));
  if (gone) await until(`${gone.text} is not found`, async () => !(await isFound(gone.text)));
}
