import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { manualFiles, manualFolder } from "@svc/server/surfaces/pages/manual/files";
import { ensureIslands } from "@svc/web/build";
import { packDocs, writeDocs } from "../../../../../scripts/docs.ts";
import { World } from "../../support/world.ts";

const ROOT = resolve(import.meta.dirname, "../../../../..");

const links = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = ""]) => href);
const ids = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));

describe("documentation", () => {
  const world = new World("sqlite", {});
  const folder = mkdtempSync(join(tmpdir(), "svc-docs-"));
  before(async () => {
    await ensureIslands();
    await world.start();
  });
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = async (path: string) => {
    const reply = await fetch(`${world.url}${path}`);
    assert.equal(reply.status, 200, path);
    return reply.text();
  };

  test("DOCS1 every Markdown file of the repository has a page", () => {
    const tracked = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
    const wanted = tracked.filter((file) => !/\/test\/|^bench\/|^scripts\//.test(file)).sort();
    assert.deepEqual(manualFiles(ROOT).sort(), wanted);
  });

  test("DOCS2 all links between pages and to their headings and pictures resolve", async () => {
    const texts = new Map<string, string>();
    const waiting = ["/docs"];
    for (const path of waiting) {
      const text = await page(path);
      texts.set(path, text);
      for (const href of links(text)) {
        const [target = ""] = href.split("#");
        if (/^\/docs(\/|$)/.test(target) && !waiting.includes(target)) waiting.push(target);
      }
      for (const [, src = ""] of text.matchAll(/<img[^>]* src="([^"]+)"/g)) {
        assert.match(src, /^\/docs\/pictures\//, `${path}: ${src}`);
        assert.equal((await fetch(`${world.url}${src}`)).status, 200, src);
      }
    }
    assert.equal(texts.size, manualFiles(ROOT).length);
    for (const [path, text] of texts)
      for (const href of links(text)) {
        const [target, slug] = href.split("#");
        const shown = texts.get(target || path);
        if (slug && shown) assert.ok(ids(shown).has(decodeURIComponent(slug)), `${path}: ${href}`);
        assert.doesNotMatch(href, /^(?!https?:|mailto:|#|\/)/, `${path}: ${href} leads nowhere`);
      }
  });

  test("DOCS3 a page shows the tree and its contents, and marks itself in the tree", async () => {
    const text = await page("/docs/operating");
    assert.match(text, /<title>Operating svc: documentation · svc<\/title>/);
    assert.match(text, /href="\/docs\/operating" aria-current="page"/);
    assert.match(text, /href="#backup">Backup</);
    assert.match(text, /<h2[^>]* id="backup"/);
    assert.equal((await fetch(`${world.url}/docs/no-such-page`)).status, 404);
    assert.equal((await fetch(`${world.url}/docs/pictures/..%2F..%2Fpackage.json`)).status, 404);
  });

  test("DOCS4 the search finds a sentence under its heading, without scripts", async () => {
    const text = await page("/docs?q=whole+store+at+one+instant");
    assert.match(text, /href="\/docs\/operating#backup">Operating svc: Backup</);
    assert.match(await page("/docs?q=xyzzyplugh"), /No section has all of these words/);
    assert.doesNotMatch(await page("/docs?q=%3Cimg+src%3Dx%3E"), /<img src=x>/);
  });

  test("DOCS5 `npm run docs` writes the same pages as files whose links resolve", () => {
    writeDocs(join(folder, "site"));
    const names = readdirSync(join(folder, "site"));
    const files = names.filter((name) => name.endsWith(".html"));
    assert.equal(files.length, manualFiles(ROOT).length);
    for (const name of files) {
      const text = readFileSync(join(folder, "site", name), "utf8");
      for (const href of links(text)) {
        const [target = ""] = href.split("#");
        if (target && !/^https?:/.test(target)) assert.ok(names.includes(target), `${name}: ${href}`);
      }
    }
    const sections = JSON.parse(readFileSync(join(folder, "site/sections.json"), "utf8"));
    assert.ok(
      sections.some(({ slug, page: on }: { slug: string; page: string }) => on === "operating" && slug === "backup"),
    );
  });

  test("DOCS6 a packed server finds its own copy of the documentation", () => {
    packDocs(join(folder, "package/manual"));
    const found = manualFolder(join(folder, "package/dist/surfaces"));
    assert.equal(found, join(folder, "package/manual"));
    assert.deepEqual(manualFiles(join(folder, "package/manual")), manualFiles(ROOT));
  });
});
