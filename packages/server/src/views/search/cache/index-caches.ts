import type { CacheMaker } from "@svc/search/query/cache";
import { IndexCaches } from "@svc/search/query/index-caches";
import { type Budget, processBudget } from "../../../cache/budget.ts";
import { Cache } from "../../../cache/cache.ts";
import { GroupedCache } from "../../../cache/grouped-cache.ts";

const cachesWithin = (budget: Budget): CacheMaker => ({
  cache: (name, share = 1) => new Cache(name, { budget, share }),
  segmentValues: (name, bytesOf) => new GroupedCache(name, bytesOf, { budget }),
});

/** Index caches within a separate budget. */
const indexCachesWithin = (budget: Budget): IndexCaches => new IndexCaches(cachesWithin(budget));

/** The caches of the process. Stamps are random, so indexes of several databases can share them. */
export const indexCaches = indexCachesWithin(processBudget);
