import { html } from "../../html.ts";
import type { Page } from "../../page.ts";

/** Bringing things in: the island sends the file and follows the job. */
export const importPage = (): Page => ({
  title: "Import",
  scripts: ["islands/import.js"],
  main: html`<h1>Import</h1>
<p class="lead">A file becomes a new knowledge base. Its kind is recognised by itself; it can be:</p>
<ul class="bullets"><li>an archive (.zip) that svc exported</li><li>a folder of Markdown files with their pictures, or an Obsidian vault, as a .zip</li><li>a Notion export in the form “Markdown &amp; CSV” or “HTML” (.zip): databases become tables</li><li>an HTML export of a Confluence space (.zip)</li><li>HTML files in a .zip</li><li>a Markdown or HTML file (.md, .html) by itself</li><li>a Word file (.docx), also as Google Docs saves one, or several in a .zip</li></ul>
<section class="card" aria-labelledby="import-file"><h2 id="import-file">What to import</h2>
<noscript><p class="banner">Importing in the browser needs JavaScript. The command <code>svc import</code> does the same.</p></noscript>
<form data-import><div class="field"><label for="archive">File</label><input id="archive" name="archive" type="file" accept=".zip,.md,.markdown,.html,.htm,.docx,application/zip,text/markdown,text/html,application/vnd.openxmlformats-officedocument.wordprocessingml.document" required></div>
<div class="field"><label for="name">Name of the knowledge base</label><input id="name" name="name" maxlength="500" autocomplete="off"><p class="hint">Left empty, it is the name in the archive, or the file’s.</p></div>
<button class="button button-main">Import</button></form>
<div class="import-state" data-import-state role="status" aria-live="polite"></div></section>`,
});
