import { type ManualSection, searchManual } from "../../shared/manual-search.ts";

/** The search of the documentation as a folder of files: there is no server to answer its form. */
const form = document.querySelector<HTMLFormElement>("form.reference-search");
const main = document.querySelector<HTMLElement>(".reference-main");
const input = form?.querySelector<HTMLInputElement>("input");

let sections: Promise<readonly ManualSection[]> | undefined;
const load = () => {
  sections ??= fetch("sections.json").then((answer) => answer.json());
  return sections;
};

function itemFor({ page, pageTitle, title, slug }: ManualSection, excerpt: string): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${page || "index"}.html${slug && `#${encodeURIComponent(slug)}`}`;
  link.textContent = title === pageTitle ? title : `${pageTitle}: ${title}`;
  const hint = document.createElement("span");
  hint.className = "hint";
  hint.textContent = excerpt;
  item.append(link, hint);
  return item;
}

async function showHits(query: string): Promise<void> {
  const hits = searchManual(await load(), query);
  const heading = document.createElement("h1");
  heading.textContent = "Search";
  const count = document.createElement("p");
  count.className = "hint";
  count.setAttribute("role", "status");
  count.textContent = `${hits.length} ${hits.length === 1 ? "section" : "sections"} for ${query}`;
  const list = document.createElement("ul");
  list.className = "operation-list";
  list.append(...hits.map(({ section, excerpt }) => itemFor(section, excerpt)));
  main?.replaceChildren(heading, count, list);
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const query = input?.value.trim() ?? "";
  if (query) void showHits(query);
});

const asked = new URLSearchParams(location.search).get("q")?.trim();
if (asked && input) {
  input.value = asked;
  void showHits(asked);
}
