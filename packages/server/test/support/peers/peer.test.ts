import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { probeFiles, requirePeer } from "./peer.ts";

const before = process.env.SVC_FORBID_SKIPS;
beforeEach(() => {
  delete process.env.SVC_FORBID_SKIPS;
});
afterEach(() => {
  if (before === undefined) delete process.env.SVC_FORBID_SKIPS;
  else process.env.SVC_FORBID_SKIPS = before;
});

test("a peer that is there skips nothing", () => {
  assert.deepEqual(requirePeer("shell", probeFiles(["sh", "/dev/null"])), { skip: false });
});

test("a missing peer is named in one line", (context) => {
  const write = context.mock.method(process.stderr, "write", () => true);
  const { skip } = requirePeer("unicorn", probeFiles(["sh", "unicorn-server"]));
  assert.match(String(skip), /unicorn.*unicorn-server/);
  assert.equal(write.mock.callCount(), 1);
  assert.match(String(write.mock.calls[0]?.arguments[0]), /^SKIPPED: .*unicorn-server.*\n$/);
});

test("where skips are forbidden, a missing peer fails", () => {
  process.env.SVC_FORBID_SKIPS = "1";
  assert.throws(() => requirePeer("unicorn", probeFiles(["/no/such/file"])), /unicorn/);
});
