/**
 * Fails when a `data-` attribute that scripts select means two different parts of a page. Scripts find their elements
 * with document-wide selectors, so two parts with the same attribute end up in each other's hands.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Attributes that several files write on purpose, with the same meaning everywhere. */
const SHARED: Readonly<Record<string, string>> = {
  collapsed: "the ids of the headings whose sections are folded",
  "editable-text": "a text that the editor takes over on a press",
  "editor-part": "a named element beside the editor",
  id: "the id of a page, folder or knowledge base, beside data-kind",
  "key-a": "what the key `a` presses in a review item",
  "key-enter": "what Enter presses in a review item",
  "key-r": "what the key `r` presses in a review item",
  kind: "page, folder or knowledge base",
  list: "a list that is read again when its entries change",
  "live-editor": "a text that the editor has taken over, or takes over at once",
  "may-write": "whether the person may change what is inside",
  "page-title": "the page's title in its heading",
  page: "the id of the index page that a folder's row stands for",
  people: "a list of people that a field filters",
  rename: "a title that can be edited in place",
  "rename-button": "what turns the page's title into a field",
  "review-item": "an item that j and k walk",
  "shown-version": "the version of the body that is shown",
  type: "the type of a node in the document's HTML",
};

const MARKUP = "packages/{web/src,server/src/surfaces/pages,document/src,tiptap-kit/src}/**/*.ts";
const SCRIPTS = ["packages/web/src/**/*.ts", "packages/web/static/*.js"];

const SELECTOR = /\[data-([a-z][a-z-]*)[^\]]*\]/g;
const READ = /(?:get|has|remove)Attribute\("data-[a-z-]+"\)/g;
const WRITTEN = /\bdata-([a-z][a-z-]*)(?:(=)|")?/g;
const ASSIGNED = /\bdataset\.([a-zA-Z]+) = /g;

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/[^\n]*/g, "$1");
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

interface Use {
  readonly files: Set<string>;
  /** In markup: bare as a marker, or with a value. */
  readonly forms: Set<"bare" | "valued">;
}

/** Every problem with the attribute names of the sources under `root`. */
export function attributeProblems(root: string, shared = SHARED): string[] {
  const read = (pattern: string | readonly string[]) =>
    globSync(pattern, { cwd: root })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => !file.endsWith(".test.ts") && !file.includes("/testing/"))
      .sort()
      .map((file) => [file, withoutComments(readFileSync(join(root, file), "utf8"))] as const);
  const selected = new Set(read(SCRIPTS).flatMap(([, code]) => [...code.matchAll(SELECTOR)].map((match) => match[1])));
  const uses = new Map<string, Use>();
  for (const [file, code] of read(MARKUP)) noteUses(uses, file, code);
  const problems = [...uses].flatMap(([name, { files, forms }]) => {
    if (!selected.has(name)) return [];
    const places = [...files].join(", ");
    if (forms.size > 1) return [`data-${name} is a marker in one place and has a value in another: ${places}`];
    return files.size > 1 && !(name in shared) ? [`data-${name} is written by several files: ${places}`] : [];
  });
  const needless = Object.keys(shared).filter((name) => !selected.has(name) || (uses.get(name)?.files.size ?? 0) < 2);
  return [...problems.sort(), ...needless.map((name) => `data-${name} need not be listed as shared`)];
}

function noteUses(uses: Map<string, Use>, file: string, code: string): void {
  const note = (name: string, form?: "bare" | "valued") => {
    const use = uses.get(name) ?? { files: new Set(), forms: new Set() };
    use.files.add(file);
    if (form) use.forms.add(form);
    uses.set(name, use);
  };
  const written = code.replace(SELECTOR, "").replace(READ, "");
  for (const [text, name = "", equals] of written.matchAll(WRITTEN))
    note(name, text.endsWith('"') ? undefined : equals ? "valued" : "bare");
  for (const [, name = ""] of code.matchAll(ASSIGNED)) note(dashed(name));
}

if (process.argv[1] === import.meta.filename) {
  const problems = attributeProblems(resolve(import.meta.dirname, ".."));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
