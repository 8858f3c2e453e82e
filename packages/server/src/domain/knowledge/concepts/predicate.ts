import type { ConceptRelationRow } from "../../../db/schema/tables/concepts.ts";
import { apiError } from "../../../errors.ts";
import { predicates } from "./schema.ts";

export type Predicate = ConceptRelationRow["predicate"];

export function getPredicate(name: string): Predicate {
  const predicate = predicates.find((registered) => registered === name);
  if (!predicate) throw apiError("unknown_predicate", { predicate: name, registered: predicates });
  return predicate;
}
