import assert from "node:assert/strict";
import { test } from "node:test";
import { offlineProblems } from "./audit.ts";
import {
  deprecationProblems,
  duplicateProblems,
  installedProblems,
  integrityProblems,
  isPermissive,
  judge,
  type Lock,
  licenceProblems,
  pinProblems,
  scriptProblems,
  versionsOf,
} from "./audit-rules.ts";

const good = { version: "1.2.3", integrity: "sha512-abc", license: "MIT" };
const lockOf = (fields: Record<string, unknown>): Lock => ({
  "": { version: "0.0.0" },
  "packages/server": { version: "0.0.0" },
  "node_modules/@svc/server": { link: true },
  "node_modules/left": { ...good, ...fields },
});
const nothing = () => undefined;

test("HOST9 our own packages pass", () => assert.deepEqual(offlineProblems(), []));

test("HOST9 every package has a hash and comes from a registry", () => {
  assert.deepEqual(integrityProblems(lockOf({})), []);
  assert.equal(integrityProblems(lockOf({ integrity: undefined })).length, 1);
  assert.equal(integrityProblems(lockOf({ integrity: "sha1-abc" })).length, 1);
  assert.equal(integrityProblems(lockOf({ resolved: "git+ssh://host/x" })).length, 1);
});

test("HOST9 our packages name exact versions", () => {
  const pinned = { dependencies: { left: "1.2.3", "@svc/server": "*" }, devDependencies: { right: "1.0.0-beta.2" } };
  assert.deepEqual(pinProblems([pinned]), []);
  for (const range of ["^1.2.3", "~1.2.3", "*", "latest", "1.x", ">=1", "file:../x", "git+https://x"])
    assert.equal(pinProblems([{ devDependencies: { left: range } }]).length, 1, range);
});

test("HOST9 licences are permissive, or the choice is ours", () => {
  for (const licence of ["MIT", "(MIT OR GPL-3.0)", "MIT AND ISC", "Apache-2.0"])
    assert.ok(isPermissive(licence), licence);
  for (const licence of ["GPL-3.0", "MIT AND GPL-3.0", "UNLICENSED", "SEE LICENSE IN x", ""])
    assert.ok(!isPermissive(licence), licence);
  assert.equal(licenceProblems(lockOf({ license: undefined }), nothing).length, 1);
  assert.equal(licenceProblems(lockOf({}), () => ({ license: "AGPL-3.0" })).length, 1, "what is installed counts");
  const tests = { "node_modules/axe-core": { ...good, license: "MPL-2.0", dev: true } };
  assert.deepEqual(licenceProblems(tests, nothing), []);
  assert.equal(licenceProblems({ "node_modules/axe-core": { ...good, license: "MPL-2.0" } }, nothing).length, 1);
});

test("HOST9 nothing runs at installation that is not allowed, and the list has nothing else", () => {
  const scripted = lockOf({ hasInstallScript: true });
  assert.deepEqual(scriptProblems(scripted, { left: true }), []);
  assert.equal(scriptProblems(scripted, {}).length, 1);
  assert.equal(scriptProblems(scripted, { left: false }).length, 1);
  assert.equal(scriptProblems(lockOf({}), { left: true }).length, 1);
  assert.deepEqual(scriptProblems(lockOf({ hasInstallScript: true, optional: true, os: ["none"] }), {}), []);
});

test("HOST9 nothing is deprecated, twice in two majors, or other than locked", () => {
  assert.equal(deprecationProblems(lockOf({ deprecated: "use right" })).length, 1);
  const twice = { ...lockOf({}), "node_modules/a/node_modules/left": { ...good, version: "2.0.0" } };
  assert.equal(duplicateProblems(twice, [{ dependencies: { left: "1.2.3" } }]).length, 1);
  assert.deepEqual(duplicateProblems(twice, [{ dependencies: { a: "1.0.0" } }]), []);
  assert.deepEqual(
    installedProblems(lockOf({}), () => ({ version: "1.2.3" })),
    [],
  );
  assert.equal(installedProblems(lockOf({}), () => ({ version: "1.2.4" })).length, 1);
  assert.equal(installedProblems(lockOf({}), nothing).length, 1);
  assert.deepEqual(installedProblems(lockOf({ optional: true }), nothing), []);
});

test("HOST9 a weakness of high severity stops us, others are told, worst first", () => {
  assert.deepEqual(versionsOf(lockOf({})), { left: ["1.2.3"] });
  assert.deepEqual(judge({}), { lines: [], isBad: false });
  const low = { severity: "low", title: "slow" };
  assert.deepEqual(judge({ left: [low] }), { lines: ["low: left: slow"], isBad: false });
  const { lines, isBad } = judge({ left: [low, { severity: "high", title: "open", url: "about:x" }] });
  assert.deepEqual([lines[0], isBad], ["high: left: open (about:x)", true]);
});
