import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Type } from "typebox";
import { ok } from "./answer.ts";
import { post, read } from "./route.ts";
import { object } from "./schemas.ts";

const shared = {
  operation: "test",
  path: "/test/{id}",
  tag: "Test",
  summary: "Tests.",
  scopes: ["documents:write"],
  success: { status: 200, description: "Done." },
} as const;
const body = object({ folder_id: Type.Integer() });

describe("the type of a route", () => {
  test("a route without access does not compile", () => {
    assert.throws(
      // @ts-expect-error: `access` is missing.
      () => read({ ...shared, handler: () => ok({}) }),
      TypeError,
    );
    assert.throws(
      // @ts-expect-error: `access` is missing.
      () => post({ ...shared, handler: async () => ok({}) }),
      TypeError,
    );
  });

  test("its access names a known action, a known subject, and fields that the route has", () => {
    const routes = [
      // @ts-expect-error: a GET only reads.
      read({ ...shared, access: { action: "write", subject: "document" }, handler: () => ok({}) }),
      // @ts-expect-error: no resource has this name.
      read({ ...shared, access: { action: "read", subject: "page" }, handler: () => ok({}) }),
      post({
        ...shared,
        // @ts-expect-error: the body has no such field.
        access: { action: "write", subject: "document", writes: { document_id: "document" } },
        body,
        handler: async () => ok({}),
      }),
      post({
        ...shared,
        access: { action: "write", subject: "document", writes: { folder_id: "folder" } },
        body,
        handler: async () => ok({}),
      }),
    ];
    assert.equal(routes.length, 4);
  });

  test("its flags follow from its action", () => {
    const actions = ["discuss", "write_or_suggest", "personal", "write"] as const;
    const flags = actions.map((action) => {
      const { discusses, suggestible, personal } = post({
        ...shared,
        access: { action, subject: "document" },
        handler: async () => ok({}),
      });
      return { discusses, suggestible, personal };
    });
    assert.deepEqual(flags, [
      { discusses: true, suggestible: false, personal: false },
      { discusses: false, suggestible: true, personal: false },
      { discusses: false, suggestible: false, personal: true },
      { discusses: false, suggestible: false, personal: false },
    ]);
  });
});
