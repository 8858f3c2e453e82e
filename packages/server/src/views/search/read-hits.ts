import type { Static } from "typebox";
import { invalidRequest } from "../../errors.ts";
import type { Answer, Page } from "../../http/answer.ts";
import type { Services } from "../../services.ts";
import { searchOtherTypes } from "./files/search-with-files.ts";
import type { HitCounts, Projection, SearchHit, SearchInput } from "./schema.ts";
import { searchPage } from "./search.ts";
import { searchComments } from "./search-comments.ts";

interface FoundPage {
  readonly data: readonly Static<typeof SearchHit>[];
  readonly page: Page;
  readonly hits: Static<typeof HitCounts>;
  readonly projection: Static<typeof Projection>;
}

/** One page of hits of the requested kind, as an answer. */
export function findPage(app: Services, workspaceId: string, query: SearchInput): Promise<Answer> {
  const { in: place, type = "document" } = query;
  if (place === "comments" && type !== "document") throw invalidRequest("query.type", "needs in=documents");
  const find = place === "comments" ? searchComments : type === "document" ? searchPage : searchOtherTypes;
  return find(app, workspaceId, query);
}

/** One page of hits as objects, for callers in this process. A search keeps its hits as JSON, which is parsed here. */
export async function readHits(app: Services, workspaceId: string, input: SearchInput): Promise<FoundPage> {
  const { dataJson, envelope } = await findPage(app, workspaceId, input);
  const written = dataJson === undefined ? "{}" : `{"data":${dataJson}}`;
  return Object.assign(JSON.parse(written), envelope);
}
