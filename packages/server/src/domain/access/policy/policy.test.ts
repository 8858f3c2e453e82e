import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isRecord } from "@svc/document/guards";
import type { Route } from "../../../http/route.ts";
import { routes } from "../../../routes.ts";

/** Fields whose ids name people, parts of the subject, the subject itself, or a sibling with the same parent. */
const notSubjects = /(^|_)(block|change|unit|user|group|confirm)_ids?$|^ids?$/;

/** The names of all fields that a schema describes, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsOf);
  if (!isRecord(schema)) return [];
  const { properties } = schema;
  return [...(isRecord(properties) ? Object.keys(properties) : []), ...Object.values(schema).flatMap(fieldsOf)];
}

const writes = routes.filter((route) => route.kind === "write" && !route.access.checkedByHandler);

const declaredBy = ({ access }: Route): string[] =>
  [access.writes, access.reads, access.copiesTo].flatMap((fields) => Object.keys(fields ?? {}));

describe("the access of every route", () => {
  test("declares every field by which a write names a resource", () => {
    const missing = writes.flatMap((route) =>
      [...new Set([...fieldsOf(route.query), ...fieldsOf(route.body)])]
        .filter((field) => /(^|_)(ids?|uri)$/.test(field) && !notSubjects.test(field))
        .filter((field) => !declaredBy(route).includes(field))
        .map((field) => `${route.operation}: ${field}`),
    );
    assert.ok(writes.length > 80);
    assert.deepEqual(missing, []);
  });

  test("has a subject in a knowledge base if the path names one resource", () => {
    const ofWorkspace = routes.filter(({ path, access }) => path.includes("{id}") && access.subject === "workspace");
    const paths = ofWorkspace.map(({ path }) => path.split("/")[1]);
    assert.deepEqual([...new Set(paths)].sort(), ["groups", "members"]);
  });
});
