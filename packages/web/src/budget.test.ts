import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ensureIslands } from "./build.ts";
import { assets } from "./server/assets.ts";
import { document } from "./server/frame.ts";
import { html } from "./shared/html.ts";

const KB = 1024;
const sizeOf = (name: string): number => assets.get(name)?.bytes.length ?? Number.POSITIVE_INFINITY;

await ensureIslands();

test("WEB39 the scripts of the frame stay small", () => {
  const bytes = ["page.js", "islands/shell.js"].reduce((sum, name) => sum + sizeOf(name), 0);
  assert.ok(bytes <= 45 * KB, `${bytes} bytes`);
});

test("WEB39 the first sight of a page stays small", () => {
  const workspace = { id: "ws_1", name: "House", role: "owner" } as const;
  const viewer = { name: "Ada", email: "ada@example.com", workspace, workspaces: [workspace] };
  const frame = { viewer, formToken: "t", path: "/", notice: undefined };
  const page = document(frame, { title: "Page", main: html`<p>Hello.</p>` }).text;
  const bytes = gzipSync(page).length + sizeOf("style.css") + sizeOf("shell.css");
  assert.ok(bytes <= 60 * KB, `${bytes} bytes`);
});
