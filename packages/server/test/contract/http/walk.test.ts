import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { scopes } from "@svc/server/http/callers/scopes";
import { routes } from "@svc/server/routes";
import { assertError, Client } from "../../support/client.ts";
import { hasId, ownedPath } from "../../support/fixtures.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

const guarded = routes.filter((route) => route.scopes !== "public");

const everyRoute = (world: World) => {
  let stranger: Person;
  before(async () => {
    stranger = await world.person();
  });

  for (const route of guarded) {
    const title = `${route.method} ${route.path}`;
    const plainPath = route.path.replace(/\{\w+\}/g, "1");

    describe(title, () => {
      test("AUTH1 needs a token, and every answer has its headers", async () => {
        const reply = await new Client(world.url).call(route.method, plainPath, route.bodyExample);
        assertError(reply, "token_missing");
        assert.equal(reply.headers.get("www-authenticate"), "Bearer");
        for (const name of ["x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"])
          assert.ok(reply.headers.get(name), name);
      });

      for (const scope of route.scopes === "public" ? [] : route.scopes) {
        test(`AUTH2 needs ${scope}`, async () => {
          const standsIn =
            (route.discusses || route.suggestible) && scope === "documents:write" ? "documents:suggest" : undefined;
          const others = scopes.filter((other) => other !== scope && other !== standsIn);
          const { client } = await world.person({ scopes: others });
          const reply = await client.call(route.method, plainPath, route.bodyExample, { ifMatch: "*" });
          assert.deepEqual(assertError(reply, "insufficient_scope").required_scopes, route.scopes);
        });
      }

      if (route.kind === "write" && !route.discusses && !route.personal)
        test("AUTH3 is closed to a viewer", async () => {
          const { client } = await world.person({ role: "viewer" });
          assertError(
            await client.call(route.method, plainPath, route.bodyExample, { ifMatch: "*" }),
            "insufficient_role",
          );
        });

      test("ENV2 refuses an unknown query parameter", async () => {
        const path = hasId(route) ? await ownedPath(route, stranger, world) : route.path;
        const reply = await stranger.client.call(route.method, `${path}?no_such_parameter=1`, route.bodyExample, {
          ifMatch: "*",
        });
        assert.match(JSON.stringify(assertError(reply, "invalid_request").issues), /no_such_parameter/);
      });

      if (hasId(route))
        test("TEN1 another workspace's id is 404", async () => {
          const path = await ownedPath(route, stranger, world);
          const { client } = await world.person();
          assertError(await client.call(route.method, path, route.bodyExample, { ifMatch: "*" }), "not_found");
        });

      if (route.ifMatch === "required")
        test("PRE1 is 428 without If-Match", async () => {
          const path = await ownedPath(route, stranger, world);
          assertError(await stranger.client.call(route.method, path, route.bodyExample), "precondition_required");
        });
    });
  }
};

// One person makes something for every route.
onEachDatabase("every route", everyRoute, { SVC_MAX_KNOWLEDGE_BASES: "10000" });

describe("the list of routes", () => {
  test("AUTH2 a route that writes names a scope that writes", () => {
    // A question is sent in a body, and writes nothing.
    const writers = guarded.filter(
      ({ kind, personal, scopes, operation }) =>
        kind === "write" && !(personal && scopes.length === 0) && !["ask", "retrieve"].includes(operation),
    );
    for (const { path, scopes } of writers)
      assert.ok(
        [scopes].flat().some((scope) => !scope.endsWith(":read")),
        path,
      );
  });

  test("AUTH2 a route under a resource names a scope", () => {
    const free = new Set(guarded.filter((route) => route.scopes.length === 0).map((route) => route.path));
    assert.deepEqual(
      [...free],
      ["/me", "/me/quota", "/notifications", "/notifications/read", "/notifications/settings"],
    );
  });

  test("DESC1 operations have unique names", () => {
    const names = routes.map((route) => route.operation);
    assert.equal(new Set(names).size, names.length);
  });
});
