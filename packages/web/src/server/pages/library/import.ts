import { html } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";

/** The import page; its island sends the file and shows the job's progress. */
export const importPage = (): Page => ({
  title: "Import",
  shape: "settings",
  scripts: ["islands/import.js"],
  main: html`<h1>Import</h1>
<p class="lead">Upload a file to create a knowledge base. The format is detected automatically:</p>
<ul class="bullets"><li>an svc export (.zip)</li><li>a folder of Markdown files with their pictures, or an Obsidian vault, as a .zip</li><li>a Notion export as “Markdown &amp; CSV” or “HTML” (.zip): databases become tables</li><li>an HTML export of a Confluence space (.zip)</li><li>HTML files in a .zip</li><li>a single Markdown or HTML file (.md, .html)</li><li>a Word file (.docx), also from Google Docs, or several in a .zip</li></ul>
<section class="card" aria-labelledby="import-file"><h2 id="import-file">What to import</h2>
<noscript><p class="banner">Importing in the browser needs JavaScript. The command <code>svc import</code> does the same.</p></noscript>
<form data-import><div class="field"><label for="archive">File</label><input id="archive" name="archive" type="file" accept=".zip,.md,.markdown,.html,.htm,.docx,application/zip,text/markdown,text/html,application/vnd.openxmlformats-officedocument.wordprocessingml.document" required></div>
<div class="field"><label for="name">Name of the knowledge base</label><input id="name" name="name" maxlength="500" autocomplete="off"><p class="hint">If empty, the name in the archive or of the file is used.</p></div>
<button class="button button-main">Import</button></form>
<div class="import-state" data-import-state role="status" aria-live="polite"></div></section>`,
});
