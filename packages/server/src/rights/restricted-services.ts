import { Cache } from "../cache/cache.ts";
import { keyOf } from "../cache/key-of.ts";
import { filterName } from "../db/audience/base-filter.ts";
import { restrictDatabase } from "../db/audience/restrict-database.ts";
import type { CallerServices, Services } from "../services.ts";
import type { Rights } from "./rights.ts";

/** By store and filter: callers with the same hidden knowledge bases share compiled statements and caches. */
const RESTRICTED = new Cache<CallerServices>("restricted_services", { share: 1 / 16 });
/** Estimated bytes of the statements compiled for one filter. */
const RESTRICTED_BYTES = 256 * 1024;

export function servicesFor(services: Services, rights: Rights | undefined): CallerServices {
  // Nothing is hidden from this caller.
  if (!rights?.hidden) return services as CallerServices;
  const name = keyOf(services.database) + filterName(rights.hidden);
  const cached = RESTRICTED.get(name);
  if (cached) return cached;
  const database = restrictDatabase(services.database, rights.hidden);
  const restricted: CallerServices = Object.create(services, { database: { value: database, enumerable: true } });
  RESTRICTED.put(name, restricted, RESTRICTED_BYTES);
  return restricted;
}
