import assert from "node:assert/strict";
import { test } from "node:test";
import { pageWithBasePath, withBasePath, withoutBasePath } from "./base-path.ts";

test("BASE1 the base path is taken off where it stands, and only there", () => {
  const known: [string, string][] = [
    ["/kb", "/"],
    ["/kb/", "/"],
    ["/kb?x=1", "/?x=1"],
    ["/kb/api/v1/me?x", "/api/v1/me?x"],
    ["/api/v1/me", "/api/v1/me"],
    ["/kbx", "/kbx"],
    ["/s/kb/", "/s/kb/"],
  ];
  for (const [asked, ours] of known) assert.equal(withoutBasePath("/kb", asked), ours);
  assert.equal(withoutBasePath("", "/kb"), "/kb");
});

test("BASE2 addresses of ours get it, others and texts do not", () => {
  assert.equal(withBasePath("/kb", "/sign-in?next=%2Fkb"), "/kb/sign-in?next=%2Fkb");
  for (const other of ["https://example.com/", "//example.com", "#a", "?b"])
    assert.equal(withBasePath("/kb", other), other);
  const page =
    '<html lang="en"><a href="/x"><img src="//e.com/i"><form action="/"><p title="/">&quot; href=&quot;/</p>';
  assert.equal(
    pageWithBasePath("/kb", page),
    '<html data-base="/kb" lang="en"><a href="/kb/x"><img src="//e.com/i"><form action="/kb/"><p title="/">&quot; href=&quot;/</p>',
  );
});
