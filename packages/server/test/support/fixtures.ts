import type { Route } from "@svc/server/http/route";
import type { Person } from "./world.ts";

/** Makes something of a kind and tells the id that stands in its path. One line per noun of the API. */
const makers: Record<string, (person: Person) => Promise<string>> = {};

/** The route's path with ids of things that this person owns. */
export async function ownedPath(route: Route, person: Person): Promise<string> {
  const steps = route.path.split("/");
  const filled = await Promise.all(
    steps.map(async (step, index) => {
      if (!step.startsWith("{")) return step;
      const noun = steps[index - 1] ?? "";
      const make = makers[noun];
      if (!make) throw new Error(`No fixture makes the id after /${noun}/ in ${route.path}: add one to fixtures.ts.`);
      return make(person);
    }),
  );
  return filled.join("/");
}

/** The id of the first parameter is a thing of its own; the rest hang on it. */
export const hasId = (route: Route): boolean => route.path.includes("{");
