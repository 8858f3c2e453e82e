import type { ErrorObject } from "ajv";

/** More than any number of fields that are missing or too many. */
const ANOTHER_KIND = 1000;

/**
 * What is worth telling of the problems that a check has found: where a value fits none of several alternatives, the
 * problems of the one that it comes nearest to. Those of the others would say that the right field is the wrong one.
 */
export function worthTelling(errors: readonly ErrorObject[]): ErrorObject[] {
  const told: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === "if") continue;
    if (error.keyword !== "anyOf") {
      told.push(error);
      continue;
    }
    // The check tells of all alternatives right before it tells that none of them fits.
    let from = told.length;
    while (from > 0 && told[from - 1]?.schemaPath.startsWith(`${error.schemaPath}/`) && isInside(told[from - 1], error))
      from--;
    told.push(...ofNearest(error, told.splice(from)));
  }
  return told;
}

const isInside = (inner: ErrorObject | undefined, union: ErrorObject): boolean =>
  inner?.instancePath === union.instancePath || inner?.instancePath.startsWith(`${union.instancePath}/`) === true;

function ofNearest(union: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const alternatives = Map.groupBy(errors, ({ schemaPath }) => schemaPath.slice(union.schemaPath.length).split("/")[1]);
  const ranked = [...alternatives.values()]
    .map((problems) => ({ problems, distance: problems.reduce((sum, one) => sum + weightOf(union, one), 0) }))
    .sort((a, b) => a.distance - b.distance);
  const nearest = ranked[0];
  if (!nearest) return [];
  return nearest.distance < ANOTHER_KIND ? nearest.problems : (inOne(union, errors) ?? nearest.problems);
}

/** A value of another type, or with another name of its kind, means another alternative. */
const weightOf = (union: ErrorObject, { keyword, instancePath }: ErrorObject): number =>
  (keyword === "type" && instancePath === union.instancePath) || keyword === "const" ? ANOTHER_KIND : 1;

/** Alternatives that differ in one thing, and the value has it otherwise: all that it may be, in one sentence. */
function inOne(union: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] | undefined {
  const names = errors.filter(({ keyword }) => keyword === "const");
  const [name] = names;
  if (name && names.every(({ instancePath }) => instancePath === name.instancePath))
    return [{ ...name, keyword: "enum", params: { allowedValues: names.map(({ params }) => params.allowedValue) } }];
  const types = errors.filter(({ keyword, instancePath }) => keyword === "type" && instancePath === union.instancePath);
  const [type] = types;
  if (!type || types.length !== errors.length) return undefined;
  return [{ ...type, message: `must be ${[...new Set(types.map(({ params }) => params.type))].join(" or ")}` }];
}
