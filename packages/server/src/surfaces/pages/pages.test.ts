import assert from "node:assert/strict";
import { test } from "node:test";
import { activitySentence } from "@svc/web/server/pages/workspace/activity-words";
import { html } from "@svc/web/shared/html";
import { routes } from "../../routes.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { formToken, isFormToken, isFromHere } from "./form-proof.ts";
import { pageOfLink } from "./rendering/render-blocks.ts";
import { deviceName } from "./sign-in/device-name.ts";
import { localPath } from "./visit.ts";

test("WEB2 a cookie is read back by its exact name", () => {
  assert.equal(writeCookie("a", "v", { secure: true }), "__Host-a=v; Path=/; HttpOnly; SameSite=Lax; Secure");
  const scope = { secure: true, basePath: "/kb" };
  assert.equal(writeCookie("a", "v", scope), "__Secure-a=v; Path=/kb; HttpOnly; SameSite=Lax; Secure");
  assert.equal(readCookie("__Host-a=w; __Secure-a=v", "a", scope), "v");
  assert.equal(readCookie("x=1; __Host-a=v; a=w", "a", { secure: true }), "v");
  assert.equal(readCookie("aa=1; b=a=2; a=w", "a", { secure: false }), "w");
  for (const header of [undefined, "", "a", "a=", 'a="v"', `a=${"x".repeat(201)}`])
    assert.equal(readCookie(header, "a", { secure: false }), undefined, header);
});

test("WEB6 a form token belongs to one session and one server", () => {
  const secretOf = (current: string, previous?: string) => ({ current, previous });
  const token = formToken(secretOf("secret"), "session");
  assert.ok(isFormToken(secretOf("secret"), "session", token));
  assert.ok(isFormToken(secretOf("new", "secret"), "session", token));
  for (const [secret, session, given] of [
    ["other", "session", token],
    ["secret", "other", token],
    ["secret", "session", `${token}x`],
    ["secret", "session", ""],
    ["secret", "session", null],
  ] as const)
    assert.ok(!isFormToken(secretOf(secret), session, given));
});

test("WEB6 what the browser says about the sender decides", () => {
  const here = (headers: Record<string, string>, baseUrl?: string) => isFromHere(headers, "svc.example:3000", baseUrl);
  assert.ok(here({}));
  assert.ok(here({ "sec-fetch-site": "same-origin" }));
  assert.ok(here({ origin: "http://svc.example:3000" }));
  assert.ok(here({ origin: "https://public.example" }, "https://public.example/wiki"));
  for (const site of ["cross-site", "same-site", "none"]) assert.ok(!here({ "sec-fetch-site": site }), site);
  for (const origin of ["null", "http://svc.example", "http://svc.example:3000.evil.example", "nonsense"])
    assert.ok(!here({ origin }), origin);
});

test("WEB5 only paths of ours lead on", () => {
  for (const path of ["/", "/device?code=BCDF-GHJK", "/a/b#c"]) assert.equal(localPath(path), path);
  for (const path of [null, "", "x", "//x", "/\\x", "/a\\b", "/a\nb", "https://x", `/${"x".repeat(6000)}`])
    assert.equal(localPath(path), "/", String(path));
});

test("WEB4 browsers are told by names that people know", () => {
  const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const edge =
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0";
  const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1";
  assert.deepEqual([firefox, edge, safari, "curl/8.5", ""].map(deviceName), [
    "Firefox on Windows",
    "Edge on macOS",
    "Safari on iPhone",
    "curl/8.5",
    "Unknown browser",
  ]);
});

test("WEB22 links between documents become pages", () => {
  assert.equal(pageOfLink("svc://doc/doc_1"), "/documents/doc_1");
  assert.equal(pageOfLink("svc://doc/doc_1#block=block_2"), "/documents/doc_1?block=block_2#block_2");
  for (const href of ["https://example.com", "svc://concept/x", "svc://doc/a/b", "svc://doc/"])
    assert.equal(pageOfLink(href), undefined);
});

test("AUDIT1 the page of the audit log has words for everything that can be in it", () => {
  const audited = routes.filter(({ method, scopes, personal }) => method !== "GET" && scopes !== "public" && !personal);
  for (const action of [...audited.map(({ operation }) => operation), "edit_live"]) {
    const { text } = html`${activitySentence({ action, person: "Ada", subject: undefined })}`;
    assert.doesNotMatch(text, /did:/, action);
  }
});
