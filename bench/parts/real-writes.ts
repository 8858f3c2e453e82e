import { defined } from "@svc/document/defined";
import { realArticles } from "../corpus/real-text.ts";
import { bytesOf } from "../harness/api.ts";
import { blockPath, type Stand } from "../harness/stand.ts";
import { least, type Operation, side } from "./operation.ts";

const anyMatch = { "if-match": "*" };
const SAVE = "the row with its index by block, a snapshot and a hash, durably";
const ROW = "the row alone, durably";

/** A bare full save of one of the texts. */
const bareSave = ({ bare, read }: Stand, texts: readonly string[]) =>
  side(bare, (i) =>
    bytesOf({
      method: "PUT",
      path: `/save/${defined(read[i % read.length]).id}`,
      body: { text: `${texts[i % texts.length]}${i}` },
    }),
  );

const write = ({ svc, api, read }: Stand, query: string, textFor: (i: number) => string) =>
  side(svc, (i) =>
    api.bytes({
      method: "PUT",
      path: `/api/v1/documents/${defined(read[i % read.length]).id}/content${query}`,
      headers: anyMatch,
      body: { format: "markdown", content: textFor(i) },
    }),
  );

const replaceAll: Operation = {
  name: "replace a body, wholly new, real text",
  against: SAVE,
  kind: "save",
  goal: least(1),
  bound: "parsing Markdown, then indexing every block",
  prepare: (stand) => {
    const texts = realArticles(97, 6);
    return { limit: bareSave(stand, texts), ours: write(stand, "", (i) => `${texts[i % 97]}${i}`) };
  },
};

/** So many documents are written again and again, so that most of each text is what is stored. */
const REWRITTEN = 100;

const replaceOne: Operation = {
  name: "replace a body, one paragraph changed, plain Markdown with ids=match",
  against: SAVE,
  kind: "save",
  goal: least(3),
  bound: "parsing and comparing 10 KB of Markdown; one block is indexed",
  prepare: async (stand) => {
    const some = { ...stand, read: stand.read.slice(0, REWRITTEN) };
    const texts = some.read.map(({ text }) => text);
    // Removes what other operations left there.
    await stand.api.each(texts.length, (i) => ({
      method: "PUT",
      path: `/api/v1/documents/${defined(some.read[i]).id}/content?ids=match`,
      headers: anyMatch,
      body: { format: "markdown", content: texts[i] },
    }));
    return {
      limit: bareSave(some, texts),
      ours: write(some, "?ids=match", (i) => `${texts[i % texts.length]}Changed for the time ${i}.\n`),
    };
  },
};

const create: Operation = {
  name: "create with 10 KB, real text",
  against: ROW,
  kind: "save",
  bound: "parsing Markdown, then indexing every block, where the limit writes one row",
  prepare: async (stand) => {
    const texts = realArticles(97, 7);
    const { id } = await stand.api.data("POST", "/api/v1/knowledge-bases", { name: "New ones" });
    const content = (i: number) => ({ format: "markdown", content: `${texts[i % 97]}${i}` });
    return {
      limit: side(stand.bare, (i) =>
        bytesOf({ method: "POST", path: `/create/new-${i}`, body: { text: texts[i % 97] } }),
      ),
      ours: side(stand.svc, (i) =>
        stand.api.bytes({
          method: "POST",
          path: "/api/v1/documents",
          body: { title: `New ${i}`, knowledge_base_id: id, content: content(i) },
        }),
      ),
    };
  },
};

const editOne: Operation = {
  name: "edit one block, real text",
  against: ROW,
  kind: "write",
  goal: least(0.4),
  bound: "the segment, change, event, audit row and index of the block, where the limit writes one row",
  prepare: async (stand) => {
    const made = await stand.api.each(REWRITTEN, (i) => ({
      method: "POST",
      path: "/api/v1/documents",
      body: {
        title: `Edited ${i}`,
        knowledge_base_id: stand.base,
        content: {
          format: "markdown",
          content: `First.\n\n${defined(stand.documents[i % stand.documents.length]).text}`,
        },
      },
    }));
    const ids: string[] = made.map((answer) => JSON.parse(answer).data.id);
    const lists = await stand.api.each(ids.length, (i) => ({
      method: "GET",
      path: `/api/v1/documents/${ids[i]}/blocks?limit=1`,
    }));
    const paths = lists.map((answer, i) => blockPath(defined(ids[i]), JSON.parse(answer).data[0].id));
    const node = (i: number) => ({
      type: "paragraph",
      content: [{ type: "text", text: `Written for the time ${i}.` }],
    });
    return {
      limit: side(stand.bare, (i) => {
        const { id, text } = defined(stand.read[i % Math.min(REWRITTEN, stand.read.length)]);
        return bytesOf({ method: "PUT", path: `/row/${id}`, body: { text: `${text}${i}` } });
      }),
      ours: side(stand.svc, (i) =>
        stand.api.bytes({
          method: "PATCH",
          path: defined(paths[i % paths.length]),
          headers: anyMatch,
          body: { node: node(i) },
        }),
      ),
    };
  },
};

export const realWrites: readonly Operation[] = [replaceAll, replaceOne, create, editOne];
