import type { Static } from "typebox";
import type { Page } from "../../http/answer.ts";
import type { Services } from "../../services.ts";
import type { HitCounts, Projection, SearchHit, SearchInput } from "./schema.ts";
import { searchPage } from "./search.ts";
import { searchComments } from "./search-comments.ts";

interface FoundPage {
  readonly data: readonly Static<typeof SearchHit>[];
  readonly page: Page;
  readonly hits: Static<typeof HitCounts>;
  readonly projection: Static<typeof Projection>;
}

/** One page of hits as objects, for callers in this process. A search keeps its hits as JSON, which is parsed here. */
export async function readHits(app: Services, workspaceId: string, input: SearchInput): Promise<FoundPage> {
  const find = input.in === "comments" ? searchComments : searchPage;
  const { dataJson, envelope } = await find(app, workspaceId, input);
  const written = dataJson === undefined ? "{}" : `{"data":${dataJson}}`;
  return Object.assign(JSON.parse(written), envelope);
}
