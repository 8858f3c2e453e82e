import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { apiError } from "@svc/server/errors";
import { created, ok } from "@svc/server/http/answer";
import { DryRun, patch, post, type Route, read } from "@svc/server/http/route";
import { object } from "@svc/server/http/schemas";
import type { Services } from "@svc/server/services";
import { Type } from "typebox";
import type { World } from "./world.ts";

const body = object({
  value: Type.String({ minLength: 1, maxLength: 200 }),
  count: Type.Optional(Type.Integer({ minimum: 0 })),
});
const shared = {
  tag: "Test",
  scopes: ["documents:write"],
  access: { action: "write", subject: "workspace" },
  errors: ["quota_exceeded"],
} as const;
const success = { status: 201, description: "Kept.", data: Type.Any() };

/** Kept in a file of the store, so that the runs of all processes count. */
const runsFile = (dataDir: string) => join(dataDir, "test-runs");
const count = (app: Services, value: string) => appendFileSync(runsFile(app.config.dataDir), `${value}\n`);

/** How often a handler ran to its end with this value, whether it was committed or not. */
export const runsOf = ({ settings }: World, value: string): number => {
  const file = runsFile(settings.SVC_DATA_DIR ?? "");
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line === value).length
    : 0;
};

/** Routes that no server has: a write with a visible effect, one that is slow, one that refuses, one with parameters. */
export const testRoutes: Route[] = [
  post({
    ...shared,
    operation: "test_write",
    path: "/test-writes",
    summary: "Keeps a value.",
    body,
    success,
    prepare: async ({ body }) => {
      if (body.value === "refused early") throw apiError("quota_exceeded", { quota: "test" });
      return body.value;
    },
    handler: async ({ app, tx, body, prepared }) => {
      const row = { key: `test:${crypto.randomUUID()}`, value: prepared };
      await tx.insertInto("server_state").values(row).execute();
      count(app, body.value);
      if (body.value === "slow") await new Promise((resolve) => setTimeout(resolve, 200));
      if (body.value === "refused") throw apiError("quota_exceeded", { quota: "test" });
      if (body.value === "broken") throw new Error(`secret ${body.value}`);
      if (body.value === "dry") throw new DryRun(ok({ dry: true }));
      return created({ key: row.key });
    },
  }),
  patch({
    ...shared,
    operation: "test_patch",
    path: "/test-writes",
    summary: "Takes anything.",
    body: Type.Record(Type.String(), Type.Any()),
    success: { ...success, status: 200 },
    handler: async () => ok({}),
  }),
  read({
    operation: "test_read",
    path: "/test-reads/{id}",
    tag: "Test",
    summary: "Looks a text up.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "workspace" },
    params: object({ id: Type.String({ maxLength: 64 }) }),
    query: object({ q: Type.Optional(Type.String()), n: Type.Optional(Type.Integer()) }),
    success: { ...success, status: 200 },
    handler: async ({ db, params, query }) => {
      const row = await db
        .selectFrom("server_state")
        .select("value")
        .where("key", "=", params.id)
        .where("value", "!=", query.q ?? "")
        .executeTakeFirst();
      return ok({ row: row ?? null, text: "x".repeat(5000) });
    },
  }),
];
