import { queriesOf } from "../corpus/text.ts";
import { bytesOf } from "../harness/request.ts";
import { least, type Operation, round, side } from "./operation.ts";

const search = (
  name: string,
  which: keyof ReturnType<typeof queriesOf>,
  goal: number | undefined,
  bound: string,
): Operation => ({
  name,
  against: "the database's own full-text index by block, best 10",
  kind: "read",
  ...(goal !== undefined && { goal: least(goal) }),
  bound,
  prepare: ({ svc, bare, api, documents }) => {
    const queries = queriesOf(documents.map(({ text }) => text))[which].map(encodeURIComponent);
    return {
      limit: side(bare, round(queries.map((q) => bytesOf({ method: "GET", path: `/search?q=${q}` })))),
      ours: side(
        svc,
        round(queries.map((q) => api.bytes({ method: "GET", path: `/api/v1/search/v2?q=${q}&limit=10` }))),
      ),
    };
  },
});

const building = "context, heading path, explanation and exact counts, which the limit does not give";
const again = `an answer that is asked for again comes from memory while nobody writes; the first is built: ${building}`;

export const searches: readonly Operation[] = [
  search("search, a rare word", "rare", 1, again),
  search(
    "search, rare words in turns, too many to remember",
    "allRare",
    undefined,
    `building the answer: ${building}; one segment of each of ten documents is read for it`,
  ),
  search("search, a common word", "common", 1, `${again}; scoring stops early, where the limit scores every match`),
  search("search, two common words", "two", 2, again),
];
