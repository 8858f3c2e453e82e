import { Cache } from "../cache/cache.ts";
import { keyOf } from "../cache/key-of.ts";
import { filterName } from "../db/audience/base-filter.ts";
import { restrictDatabase } from "../db/audience/restrict-database.ts";
import type { Services } from "../services.ts";
import type { Rights } from "./rights.ts";

/** By the store and by what is hidden: callers to whom the same is hidden share compiled statements and caches. */
const RESTRICTED = new Cache<Services>("restricted_services", { share: 1 / 16 });
/** Of the statements that are compiled for one, roughly. */
const RESTRICTED_BYTES = 256 * 1024;

/** The services as a caller reaches them: their reads find nothing of what is hidden from the caller. */
export function servicesFor(services: Services, rights: Rights | undefined): Services {
  if (!rights?.hidden) return services;
  const name = keyOf(services.database) + filterName(rights.hidden);
  const cached = RESTRICTED.get(name);
  if (cached) return cached;
  const database = restrictDatabase(services.database, rights.hidden);
  const restricted: Services = Object.create(services, { database: { value: database, enumerable: true } });
  RESTRICTED.put(name, restricted, RESTRICTED_BYTES);
  return restricted;
}
