import assert from "node:assert/strict";
import { test } from "node:test";
import { addressPolicy } from "./address-policy.ts";
import { targetProblem } from "./target-url.ts";

const problem = (url: string) => targetProblem(url, addressPolicy([]));

test("HOOK20 a public http or https address can be a target", () => {
  for (const url of [
    "https://example.com/hook",
    "http://example.com:8080/a?b=c",
    "https://example.com:8443",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://bücher.example/",
  ])
    assert.equal(problem(url), undefined, url);
});

test("HOOK20 odd forms of private addresses are seen through", () => {
  for (const host of [
    "127.0.0.1",
    "127.1",
    "0",
    "0x7f.0.0.1",
    "0x7f000001",
    "017700000001",
    "2130706433",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "192.168.257",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "169.254.169.254",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
  ])
    assert.match(problem(`http://${host}/`) ?? "", /not public|this machine/, host);
});

test("HOOK22 other protocols, credentials, fragments and ports of other services are refused", () => {
  assert.match(problem("ftp://example.com/") ?? "", /http/);
  assert.match(problem("file:///etc/passwd") ?? "", /http/);
  assert.match(problem("example.com/hook") ?? "", /http/);
  assert.match(problem("http://") ?? "", /http/);
  for (const odd of [
    "https://exa\nmple.com/",
    " https://example.com/",
    "https://example.com/\ud800",
    "https://a/\u0000",
  ])
    assert.match(problem(odd) ?? "", /http/, JSON.stringify(odd));
  assert.match(problem("https://user@example.com/") ?? "", /user or password/);
  assert.match(problem("https://:secret@example.com/") ?? "", /user or password/);
  assert.match(problem("https://example.com/#") ?? "", /fragment/);
  for (const port of [0, 22, 25, 81, 993, 5060, 6667])
    assert.match(problem(`http://example.com:${port}`) ?? "", /port/);
});

test("HOOK21 loopback is a target where the operator allows it", () => {
  const mayReach = addressPolicy(["127.0.0.0/8"]);
  assert.equal(targetProblem("http://127.0.0.1:3000/", mayReach), undefined);
  assert.equal(targetProblem("http://localhost:3000/", mayReach), undefined);
});
