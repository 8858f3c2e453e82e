import { defined } from "@svc/document/defined";
import { drawPairs, drawQuestions, drawWords } from "../corpus/real-text.ts";
import { randomFrom } from "../corpus/text.ts";
import { bytesOf } from "../harness/api.ts";
import type { Stand } from "../harness/stand.ts";
import { least, type Operation, round, side } from "./operation.ts";

/** Different words and pairs: more than are asked for in a second. */
const QUERIES = 5000;

const searchPath = (q: string): string => `/api/v1/search/v2?q=${encodeURIComponent(q)}&limit=25`;
const textsOf = ({ documents }: Stand): string[] => documents.map(({ text }) => text);
const askedOf = ({ svc, api }: Stand, queries: readonly string[]) =>
  side(svc, round(queries.map((q) => api.bytes({ method: "GET", path: searchPath(q) }))));

const search = (name: string, draw: typeof drawWords): Operation => ({
  name,
  against: "the database's own full-text index by block, best 25 with an excerpt",
  kind: "read",
  goal: least(1),
  p99Goal: 2,
  bound: "context, heading path, explanation and exact counts, which the limit does not give",
  prepare: (stand) => {
    const queries = draw(textsOf(stand), QUERIES, randomFrom(12));
    const barePath = (q: string) => `/excerpts?q=${encodeURIComponent(q)}`;
    return {
      limit: side(stand.bare, round(queries.map((q) => bytesOf({ method: "GET", path: barePath(q) })))),
      ours: askedOf(stand, queries),
    };
  },
});

/** Every block with any of the words is a hit, and all are counted. */
const searchQuestions: Operation = {
  name: "search, another question of three to eight words each time",
  against: "the database's own full-text index by block, any of the words, best 25 with an excerpt",
  kind: "read",
  goal: least(1),
  p99Goal: 1,
  bound: "context, heading path, explanation and exact counts, which the limit does not give",
  prepare: (stand) => {
    const queries = drawQuestions(textsOf(stand), QUERIES, randomFrom(15));
    const barePath = (q: string) => `/any?q=${encodeURIComponent(q)}`;
    return {
      limit: side(stand.bare, round(queries.map((q) => bytesOf({ method: "GET", path: barePath(q) })))),
      ours: askedOf(stand, queries),
    };
  },
};

/** Searches while somebody types: the last word is still growing. */
const searchBeginnings: Operation = {
  name: "search, the beginning of another word each time",
  against: "svc, the whole words",
  kind: "read",
  isOwnLimit: true,
  goal: least(0.5),
  bound: "several words begin alike, and the hits of all of them are ranked together",
  prepare: (stand) => {
    const words = drawWords(textsOf(stand), QUERIES, randomFrom(13)).filter((word) => word.length > 3);
    return {
      limit: askedOf(stand, words),
      ours: askedOf(
        stand,
        words.map((word) => `${word.slice(0, -1)}*`),
      ),
    };
  },
};

/** Between two edits of the writer. */
const EDIT_EVERY_MS = 50;

const searchBesideWriter: Operation = {
  name: "search, another word each time, beside 20 edits a second",
  against: "svc, the same without edits",
  kind: "read",
  isOwnLimit: true,
  goal: least(0.7),
  bound: "every edit gives the index another segment, and answers that were kept are of the index before",
  prepare: async (stand) => {
    const words = drawWords(textsOf(stand), QUERIES, randomFrom(14));
    const { limit, ours } = { limit: askedOf(stand, words), ours: askedOf(stand, words) };
    const { id } = await stand.api.data("POST", "/api/v1/documents", {
      title: "Written meanwhile",
      knowledge_base_id: stand.base,
    });
    let next = 0;
    let isWriting = false;
    let edits = 0;
    const edit = async () => {
      isWriting = true;
      const content = `# Written meanwhile\n\nFor the time ${edits++}.\n`;
      const path = `/api/v1/documents/${id}/content?ids=match`;
      const headers = { "if-match": "*" };
      await stand.api.each(1, () => ({
        method: "PUT",
        path,
        headers,
        body: { format: "markdown", content },
      }));
      isWriting = false;
    };
    const requests = (i: number): Buffer => {
      const now = performance.now();
      if (now >= next && !isWriting) {
        next = now + EDIT_EVERY_MS;
        void edit();
      }
      return defined(ours.requests(i));
    };
    return { limit, ours: { ...ours, requests } };
  },
};

export const realSearches: readonly Operation[] = [
  search("search, another word each time", drawWords),
  search("search, another pair of words each time", drawPairs),
  searchQuestions,
];
export const otherSearches: readonly Operation[] = [searchBeginnings, searchBesideWriter];
