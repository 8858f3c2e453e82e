import type { Condition, Operator, RetrievalRequest } from "./schema.ts";

type Metadata = object;

/** Whether a record's metadata fulfil the conditions of a request. */
export function fulfils(metadata: Metadata, asked: RetrievalRequest["metadata_condition"]): boolean {
  const conditions = asked?.conditions ?? [];
  if (conditions.length === 0) return true;
  const test = (condition: Condition) => isTrue(metadata, condition);
  return asked?.logical_operator === "or" ? conditions.some(test) : conditions.every(test);
}

function isTrue(metadata: Metadata, { name, comparison_operator, value = null }: Condition): boolean {
  const found = [name].flat().find((one) => Object.hasOwn(metadata, one));
  const held: unknown = found === undefined ? null : Reflect.get(metadata, found);
  const texts = (held === null || held === undefined ? [] : [held].flat()).map(String);
  return tests[comparison_operator](texts, value === null ? [] : [value].flat().map(String));
}

type Test = (held: readonly string[], wanted: readonly string[]) => boolean;

const folded = (text: string): string => text.toLowerCase();
const some =
  (compare: (held: string, wanted: string) => boolean): Test =>
  (held, wanted) =>
    held.some((one) => wanted.some((other) => compare(folded(one), folded(other))));
const not =
  (test: Test): Test =>
  (held, wanted) =>
    !test(held, wanted);
const numbers = (compare: (held: number, wanted: number) => boolean): Test =>
  some((held, wanted) => held !== "" && wanted !== "" && compare(Number(held), Number(wanted)));
const times = (compare: (held: number, wanted: number) => boolean): Test =>
  some((held, wanted) => compare(timeOf(held), timeOf(wanted)));

const timeOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Date.parse(text));

const equals = some((held, wanted) => held === wanted);
const contains = some((held, wanted) => held.includes(wanted));
const isEmpty: Test = (held) => held.every((one) => one === "");

const tests: Readonly<Record<Operator, Test>> = {
  contains,
  "not contains": not(contains),
  "start with": some((held, wanted) => held.startsWith(wanted)),
  "end with": some((held, wanted) => held.endsWith(wanted)),
  is: equals,
  "is not": not(equals),
  in: equals,
  "not in": not(equals),
  empty: isEmpty,
  "not empty": not(isEmpty),
  "=": numbers((held, wanted) => held === wanted),
  "≠": not(numbers((held, wanted) => held === wanted)),
  ">": numbers((held, wanted) => held > wanted),
  "<": numbers((held, wanted) => held < wanted),
  "≥": numbers((held, wanted) => held >= wanted),
  "≤": numbers((held, wanted) => held <= wanted),
  before: times((held, wanted) => held < wanted),
  after: times((held, wanted) => held > wanted),
};
