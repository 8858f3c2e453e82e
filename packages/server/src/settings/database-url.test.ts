import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDatabaseUrl } from "./database-url.ts";

test("a database address names one server, or several of which one accepts writes", () => {
  const one = "postgres://u:p%40@db.example.com:5432/svc?sslmode=require";
  assert.deepEqual(parseDatabaseUrl(one), { urls: [one], mustWrite: false });
  assert.deepEqual(parseDatabaseUrl("postgresql://u:p@a:5432,[::1]:5433,c/svc?target_session_attrs=read-write"), {
    urls: ["postgresql://u:p@a:5432/svc", "postgresql://u:p@[::1]:5433/svc", "postgresql://u:p@c/svc"],
    mustWrite: true,
  });
  assert.equal(parseDatabaseUrl("postgres://a,b/svc")?.mustWrite, true);
  assert.equal(parseDatabaseUrl("postgres://a/svc?target_session_attrs=primary")?.mustWrite, true);
  assert.deepEqual(parseDatabaseUrl("postgres:///svc?host=/run/postgresql")?.mustWrite, false);
});

test("a malformed database address, or one of a standby, is refused", () => {
  for (const wrong of [
    "mysql://a/svc",
    "a",
    "postgres://a,,b/svc",
    "postgres://a:x,b/svc",
    "postgres://a,b/svc?target_session_attrs=standby",
  ])
    assert.equal(parseDatabaseUrl(wrong), undefined, wrong);
});
