import type { ErrorObject } from "ajv";

/** More than any number of missing or unknown fields. */
const ANOTHER_KIND = 1000;

/**
 * Chooses the validation errors to report. If a value fits none of several alternatives, these are the errors of the
 * nearest one: the others would call the right field wrong.
 */
export function nearestErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const reported: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === "if") continue;
    if (error.keyword !== "anyOf") {
      reported.push(error);
      continue;
    }
    // The validator reports all alternatives right before it reports that none of them fits.
    let from = reported.length;
    while (
      from > 0 &&
      reported[from - 1]?.schemaPath.startsWith(`${error.schemaPath}/`) &&
      isInside(reported[from - 1], error)
    )
      from--;
    reported.push(...ofNearest(error, reported.splice(from)));
  }
  return reported;
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

/** A value of another type, or with another discriminator, means another alternative. */
const weightOf = (union: ErrorObject, { keyword, instancePath }: ErrorObject): number =>
  (keyword === "type" && instancePath === union.instancePath) || keyword === "const" ? ANOTHER_KIND : 1;

/** If the alternatives differ in one field only, returns one error with all its allowed values. */
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
