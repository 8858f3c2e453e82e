import { defined } from "@svc/document/defined";
import { fieldsOf, type Operation } from "./description.ts";
import { isIdField } from "./scene.ts";
import type { Call } from "./valid.ts";

/** A place in a request where an id stands: a step of the path by its number, or a field by its name. */
export type IdPosition =
  | { readonly part: "path"; readonly name: string; readonly step: number }
  | { readonly part: "query" | "body"; readonly name: string };

/** Parameters of a path that name nothing by themselves, only within what stands before them. */
const RELATIVE = new Set(["{seq}", "{locale}", "{emoji}"]);

/** Every place of the operation where an id of something in a workspace may stand. */
export function idPositions({ path, query, body }: Operation): IdPosition[] {
  const steps = path.split("/");
  const inPath = [...steps.keys()].filter(
    (step) => defined(steps[step]).startsWith("{") && !RELATIVE.has(defined(steps[step])),
  );
  const inBody = body ? [...fieldsOf(body)].filter(isIdField) : [];
  return [
    ...inPath.map((step) => ({ part: "path" as const, name: defined(steps[step]), step })),
    ...query.filter(({ name }) => isIdField(name)).map(({ name }) => ({ part: "query" as const, name })),
    ...inBody.map((name) => ({ part: "body" as const, name })),
  ];
}

/** The request with another value in the place. */
export function withId(call: Call, position: IdPosition, value: unknown): Call {
  if (position.part === "path")
    return { ...call, path: call.path.split("/").with(position.step, String(value)).join("/") };
  if (position.part === "query") return { ...call, query: { ...call.query, [position.name]: value } };
  return { ...call, body: replaced(call.body, position.name, value) };
}

function replaced(value: unknown, name: string, id: unknown): unknown {
  if (value instanceof FormData) {
    const form = new FormData();
    for (const [field, part] of value) form.set(field, field === name ? String(id) : (part as string));
    return form;
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, name, id));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, field === name ? id : replaced(inner, name, id)]),
  );
}

/** A value of the same form that names nothing. */
export function missingLike(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(missingLike);
  if (typeof value === "number") return 900_000_000;
  if (/^\d+$/.test(String(value))) return "900000000";
  return String(value).replace(/_[0-9A-HJKMNP-TV-Z]{26}/, "_01ARZ3NDEKTSV4RRFFQ69G5FAV");
}
