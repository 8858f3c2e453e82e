import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { type Random, sentence, wordsOfRank } from "../corpus/text.ts";
import { type Answer, type Asked, type Caller, type Ledger, marksIn, type Page } from "./caller.ts";
import type { SoakSite } from "./site.ts";

/** Material of the load. */
export interface Scene {
  readonly site: SoakSite;
  readonly caller: Caller;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly base: number;
  readonly folders: readonly number[];
  /** Documents that are discussed and never deleted. */
  readonly discussed: readonly string[];
}

/** One kind of call: how often in a second, and what is done. */
interface Kind {
  readonly name: string;
  readonly perSecond: number;
  run(scene: Scene, name: string): Promise<unknown>;
}

const words = wordsOfRank(5, 2000);
const LONGEST_PAGE = 40;
const MANY_PAGES = 400;

const paragraph = ({ random }: Scene, mark: string) => ({
  type: "paragraph",
  content: [{ type: "text", text: `${mark} ${sentence(random, 8 + random(30))}` }],
});

/** A page's text of so many paragraphs, with a mark in each. */
function newText(scene: Scene, count: number): { readonly marks: string[]; readonly markdown: string } {
  const marks = Array.from({ length: count }, () => scene.ledger.newMark());
  return { marks, markdown: marks.map((mark) => `${mark} ${sentence(scene.random, 20)}`).join("\n\n") };
}

/** Sends what has an idempotency key until it is answered: then it happened once. */
async function untilAnswered(scene: Scene, name: string, path: string, body: unknown): Promise<Answer> {
  const asked: Asked = { method: "POST", body, headers: { "idempotency-key": randomUUID() } };
  for (;;) {
    const answer = await scene.caller.call(name, path, asked);
    if (answer) return answer;
    await sleep(500);
  }
}

export async function createPage(scene: Scene, name: string): Promise<string | undefined> {
  const { ledger, base, folders, random } = scene;
  const { marks, markdown } = newText(scene, 3 + random(10));
  const answer = await untilAnswered(scene, name, "/api/v1/documents", {
    title: `Page ${marks[0]}`,
    knowledge_base_id: base,
    folder_id: folders[random(folders.length)],
    content: { format: "markdown", content: markdown },
  });
  if (answer.status === 201) ledger.created(answer.data.id, marks, answer.version);
  return answer.data?.id;
}

const pathOf = (page: Page, rest = ""): string => `/api/v1/documents/${page.id}${rest}`;

/** A page that may be deleted at this moment may be missing. */
const mayBeGone: Asked = { allowed: [404] };

const read =
  (rest: string) =>
  ({ caller, ledger }: Scene, name: string): Promise<unknown> => {
    const page = ledger.any();
    return page ? caller.call(name, pathOf(page, rest), mayBeGone) : Promise.resolve();
  };

const editBlock = ({ caller, ledger, ...scene }: Scene, name: string) =>
  ledger.withPage(async (page) => {
    const listed = await caller.call("list of blocks", pathOf(page, "/blocks?limit=100"));
    if (listed?.status !== 200) return;
    const at = scene.random(page.marks.length);
    const { id } = listed.data[at];
    const mark = ledger.newMark();
    const node = { ...paragraph({ caller, ledger, ...scene }, mark), attrs: { id } };
    const answer = await caller.call(name, pathOf(page, `/blocks/${id}`), { method: "PATCH", body: { node } });
    ledger.wrote(page, answer, page.marks.with(at, mark));
  });

const insertBlock = (scene: Scene, name: string) =>
  scene.ledger.withPage(async (page) => {
    if (page.marks.length > LONGEST_PAGE) return replaceText(scene, "replace a body", page);
    const mark = scene.ledger.newMark();
    const body = { position: { document_end: true }, nodes: [paragraph(scene, mark)] };
    const answer = await scene.caller.call(name, pathOf(page, "/blocks"), { method: "POST", body });
    scene.ledger.wrote(page, answer, [...page.marks, mark]);
  });

async function replaceText(scene: Scene, name: string, page: Page): Promise<void> {
  const { marks, markdown } = newText(scene, 3 + scene.random(10));
  const answer = await scene.caller.call(name, pathOf(page, "/content"), {
    method: "PUT",
    body: { format: "markdown", content: markdown },
    headers: { "if-match": `"${page.version}"` },
  });
  scene.ledger.wrote(page, answer, marks);
}

const move = (scene: Scene, name: string) =>
  scene.ledger.withPage(async (page) => {
    const folder_id = scene.folders[scene.random(scene.folders.length)];
    const answer = await scene.caller.call(name, pathOf(page), { method: "PATCH", body: { folder_id } });
    // Moving a page does not change its text.
    if (!answer) return;
  });

const remove = (scene: Scene, name: string) =>
  scene.ledger.withPage(async (page) => {
    if (scene.ledger.pages.filter(({ isGone }) => !isGone).length < MANY_PAGES) return;
    const answer = await scene.caller.call(name, pathOf(page), { method: "DELETE" });
    if (answer) page.isGone = true;
    else page.doubt = { isGone: true };
  });

async function comment(scene: Scene, name: string): Promise<void> {
  const { site, ledger, discussed, random } = scene;
  const page = defined(discussed[random(discussed.length)]);
  const mark = ledger.newMark();
  const content = `[@Eve](svc://user/${site.mentioned.id}) ${mark} ${sentence(random, 8)}`;
  const body = { body: { format: "markdown", content } };
  const answer = await untilAnswered(scene, name, `/api/v1/documents/${page}/comments`, body);
  if (answer.status === 201) ledger.comments.push({ page, mark });
}

/** Reads her notifications and marks them as read. */
async function inbox({ site, caller }: Scene, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${site.mentioned.token}` };
  const listed = await caller.call(name, "/api/v1/notifications?limit=20", { headers });
  if (listed?.status !== 200) return;
  const body = { before: Date.now() };
  await caller.call("mark notifications as read", "/api/v1/notifications/read", { method: "POST", headers, body });
}

const openPage =
  (path: (page: Page) => string) =>
  ({ site, caller, ledger }: Scene, name: string): Promise<unknown> => {
    const page = ledger.any();
    if (!page) return Promise.resolve();
    return caller.call(name, path(page), { headers: { cookie: site.cookie, authorization: "" }, allowed: [404] });
  };

const callTool =
  (tool: string, args: (scene: Scene) => object) =>
  (scene: Scene, name: string): Promise<unknown> =>
    scene.caller.call(name, "/mcp", {
      method: "POST",
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args(scene) } },
    });

const anyWord = ({ random }: Scene): string => defined(words[random(words.length)]);

/** A token that works is revoked: no answer after that shows anything. */
async function useRevoked({ site, caller }: Scene, name: string): Promise<void> {
  const short = await site.shortToken();
  const headers = { authorization: `Bearer ${short.token}` };
  await caller.call(name, "/api/v1/me", { headers });
  await short.revoke();
  for (const process of [0, 1] as const) {
    const after = await caller.call(name, "/api/v1/me", { headers, process, allowed: [401] });
    if (after && after.status !== 401) caller.wrong.push(`a revoked token is answered with ${after.status}`);
  }
}

/** People and agents. The sum is what is meant to take about a third of a core of both processes together. */
export const kinds: readonly Kind[] = [
  { name: "page of a document", perSecond: 1, run: openPage((page) => `/documents/${page.id}`) },
  { name: "page of the knowledge bases", perSecond: 0.2, run: openPage(() => "/knowledge-bases") },
  { name: "comment with a mention", perSecond: 0.2, run: comment },
  { name: "notifications", perSecond: 0.2, run: inbox },
  {
    name: "search, a word",
    perSecond: 1,
    run: (scene, name) => scene.caller.call(name, `/api/v1/search/v2?q=${anyWord(scene)}&limit=10`),
  },
  {
    name: "search, two words",
    perSecond: 0.5,
    run: (scene, name) => scene.caller.call(name, `/api/v1/search/v2?q=${anyWord(scene)}+${anyWord(scene)}&limit=10`),
  },
  { name: "read a body", perSecond: 2, run: read("/content?format=markdown") },
  { name: "metadata", perSecond: 1, run: read("") },
  {
    name: "list of documents",
    perSecond: 0.5,
    run: ({ caller }, name) => caller.call(name, "/api/v1/documents?limit=25&sort=updated_at"),
  },
  {
    name: "tree",
    perSecond: 0.2,
    run: ({ caller, base }, name) => caller.call(name, `/api/v1/knowledge-bases/${base}/tree`),
  },
  { name: "edit a block", perSecond: 1, run: editBlock },
  { name: "insert a block", perSecond: 1, run: insertBlock },
  {
    name: "replace a body",
    perSecond: 0.5,
    run: (scene, name) => scene.ledger.withPage((page) => replaceText(scene, name, page)),
  },
  { name: "create a document", perSecond: 0.4, run: createPage },
  { name: "delete a document", perSecond: 0.4, run: remove },
  { name: "move a document", perSecond: 0.2, run: move },
  { name: "MCP search", perSecond: 0.2, run: callTool("search", (scene) => ({ query: anyWord(scene) })) },
  {
    name: "MCP read_document",
    perSecond: 0.2,
    run: callTool("read_document", ({ discussed, random }) => ({ document_id: discussed[random(discussed.length)] })),
  },
  { name: "token, revoked", perSecond: 0.02, run: useRevoked },
];

/** Reads everything back: what is wrong with it. */
export async function findProblems({ caller, ledger, discussed }: Scene): Promise<string[]> {
  const problems: string[] = [];
  const ask = async (path: string): Promise<Answer> => {
    for (;;) {
      const answer = await caller.call("read back", path, mayBeGone);
      if (answer) return answer;
      await sleep(500);
    }
  };
  for (const page of ledger.pages) {
    const problem = ledger.problemOf(page, await ask(pathOf(page, "/content?format=markdown")));
    if (problem) problems.push(problem);
  }
  for (const id of discussed) {
    const found = new Map<string, number>();
    for (let cursor = ""; ; ) {
      const { text } = await ask(`/api/v1/documents/${id}/comments?limit=100${cursor}`);
      const { data, page } = JSON.parse(text);
      for (const mark of new Set(marksIn(JSON.stringify(data.map(({ body }: { body: unknown }) => body)))))
        found.set(mark, (found.get(mark) ?? 0) + 1);
      if (!page.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    for (const { page, mark } of ledger.comments)
      if (page === id && found.get(mark) !== 1) problems.push(`comment ${mark} is there ${found.get(mark) ?? 0} times`);
  }
  return problems;
}
