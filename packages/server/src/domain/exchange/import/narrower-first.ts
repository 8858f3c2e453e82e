import { defined } from "@svc/document/defined";
import type { PlannedConcept } from "./plan.ts";

/** Sorts the concepts so that each follows all its narrower concepts; undefined if there is a cycle. */
export function narrowerFirst(concepts: readonly PlannedConcept[]): PlannedConcept[] | undefined {
  const broader = new Map<string, PlannedConcept[]>(concepts.map(({ key }) => [key, []]));
  const waitingFor = new Map<string, number>();
  for (const concept of concepts) {
    const narrower = concept.relations.filter(({ predicate }) => predicate === "broader_than");
    for (const { targetKey } of narrower) broader.get(targetKey)?.push(concept);
    waitingFor.set(concept.key, narrower.length);
  }
  const ordered = concepts.filter(({ key }) => waitingFor.get(key) === 0);
  for (let i = 0; i < ordered.length; i++)
    for (const concept of defined(broader.get(defined(ordered[i]).key))) {
      const left = defined(waitingFor.get(concept.key)) - 1;
      waitingFor.set(concept.key, left);
      if (left === 0) ordered.push(concept);
    }
  return ordered.length === concepts.length ? ordered : undefined;
}
