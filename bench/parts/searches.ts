import { queriesOf } from "../corpus/text.ts";
import { bytesOf } from "../harness/request.ts";
import { least, type Operation, round, side } from "./operation.ts";

const search = (name: string, which: "rare" | "common" | "two", goal: number, bound: string): Operation => ({
  name,
  against: "the database's own full-text index by block, best 10",
  kind: "read",
  goal: least(goal),
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

const building =
  "building the answer: context, heading path, explanation and exact counts, which the limit does not give";

export const searches: readonly Operation[] = [
  search("search, a rare word", "rare", 1, building),
  search("search, a common word", "common", 1, `${building}; scoring stops early, where the limit scores every match`),
  search("search, two common words", "two", 2, building),
];
