/**
 * `npm run docs`: the documentation as a folder of files, `dist/docs` unless another folder is named. `-- --pack FOLDER`
 * copies its sources instead, for a packed server, whose `/docs` then shows them.
 */
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { defined } from "@svc/document/defined";
import { manualFiles, manualFolder } from "@svc/server/surfaces/pages/manual/files";
import { makeManual } from "@svc/server/surfaces/pages/manual/manual";
import { ensureIslands } from "@svc/web/build";
import { type ManualFrame, manualPage } from "@svc/web/server/pages/manual/manual";
import { html } from "@svc/web/shared/html";
import type { Page } from "@svc/web/shared/page";

const STYLES = ["style.css", "text.css", "reference.css"];
const SEARCH = "islands/manual-search.js";
const STATIC = resolve(import.meta.dirname, "../packages/web/static");
const PICTURES = "docs/screenshots";

const address = (name: string, slug?: string): string =>
  `${name || "index"}.html${slug ? `#${encodeURIComponent(slug)}` : ""}`;

/** The whole file around a page, for a folder that any server or browser can show. */
const fileText = ({ title, main }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · svc</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="icon.svg" type="image/svg+xml">
${STYLES.map((name) => html`<link rel="stylesheet" href="${name}">\n`)}<script type="module" src="manual-search.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<main id="main" tabindex="-1" class="main main-wide">
${main}
</main>
</body>
</html>
`.text;

export function writeDocs(target: string): void {
  const folder = defined(manualFolder());
  const picture = (path: string) => path.replace(/^docs\//, "");
  const { pages, groups, sections } = makeManual(folder, { page: address, picture });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const page of pages) {
    const frame: ManualFrame = { groups, here: page.name, q: "", address };
    writeFileSync(join(target, address(page.name)), fileText(manualPage({ ...page, frame })));
  }
  writeFileSync(join(target, "sections.json"), JSON.stringify(sections));
  for (const name of [...STYLES, "icon.svg", SEARCH]) copyFileSync(join(STATIC, name), join(target, basename(name)));
  cpSync(join(folder, PICTURES), join(target, picture(PICTURES)), { recursive: true });
}

/** Copies the Markdown files and pictures as they lie in the repository, into `manual` of a package. */
export function packDocs(target: string): void {
  const folder = defined(manualFolder());
  rmSync(target, { recursive: true, force: true });
  for (const file of manualFiles(folder)) {
    mkdirSync(join(target, dirname(file)), { recursive: true });
    copyFileSync(join(folder, file), join(target, file));
  }
  cpSync(join(folder, PICTURES), join(target, PICTURES), { recursive: true });
}

if (process.argv[1] === import.meta.filename) {
  const [, , first, second] = process.argv;
  if (first === "--pack") packDocs(resolve(second ?? "packages/server/manual"));
  else {
    await ensureIslands();
    writeDocs(resolve(first ?? "dist/docs"));
  }
}
