import { invalidRequest } from "../../../errors.ts";
import type { PropertyFilter } from "./queries.ts";

const PREFIX = "property.";
const MAX_FILTERS = 8;

/** The property filters of a query, sorted, so that equal ones compare equal. */
export function propertyFiltersOf(query: Readonly<Record<string, unknown>>): readonly PropertyFilter[] {
  const filters = Object.entries(query)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, value]): PropertyFilter => [name.slice(PREFIX.length), String(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (filters.length > MAX_FILTERS) throw invalidRequest("query.property", `at most ${MAX_FILTERS} properties`);
  if (filters.some(([name]) => name === "")) throw invalidRequest("query.property.", "needs a name");
  return filters;
}
