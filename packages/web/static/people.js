/** Lists with more lines than this get a field in which one types whom one looks for. */
const MANY = 12;

/** Letters as one types them: without accents, small. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The name of the line, and the address. */
const namesIn = (row) => plain([...row.querySelectorAll("bdi")].map(({ textContent }) => textContent).join(" "));

for (const list of document.querySelectorAll("[data-people]")) {
  const rows = [...list.children].map((row) => ({ row, text: namesIn(row) }));
  if (rows.length > MANY) addFilter(list, rows);
}

function addFilter(list, rows) {
  const field = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" });
  field.setAttribute("aria-label", `Find in ${list.dataset.people}`);
  field.placeholder = "Find somebody";
  const found = Object.assign(document.createElement("p"), { className: "hint" });
  found.setAttribute("role", "status");
  field.addEventListener("input", () => {
    const words = plain(field.value).split(/\s+/);
    let count = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) count++;
    }
    found.textContent =
      field.value.trim() === "" ? "" : count === 0 ? "Nobody has this name." : `${count} of ${rows.length}`;
  });
  // The list may stand in a form, which Enter would send.
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  list.before(field, found);
}

/** A role is saved when it is another one than before. */
for (const form of document.querySelectorAll("[data-people] form:has(select)")) {
  const save = form.querySelector("button");
  const select = form.querySelector("select");
  const before = select.value;
  save.hidden = true;
  select.addEventListener("change", () => {
    save.hidden = select.value === before;
  });
}
