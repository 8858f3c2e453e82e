/** Max size of the kept tree in UTF-16 units; a larger one is loaded again on the next page. */
const MAX_KEPT = 200_000;

/**
 * Keeps the tree as it is shown when one leaves the page. On the next one it runs before the first paint and puts the
 * levels that were open into the tree, so that nothing moves when the frame's script has read them again.
 */
(() => {
  const tree = document.querySelector("[data-tree]");
  if (!tree || !document.querySelector('script[src*="/islands/shell.js"]')) return;
  const workspace = tree.dataset.tree;
  let isLeaving = false;
  addEventListener("pagehide", () => isLeaving || keep(tree));
  // The names of pages do not stay in the browser of somebody who signs out.
  document.addEventListener("submit", ({ target }) => {
    if (!target.getAttribute("action")?.endsWith("/sign-out")) return;
    isLeaving = true;
    for (const key of Object.keys(localStorage)) if (key.startsWith("svc-tree:")) localStorage.removeItem(key);
  });
  const kept = localStorage.getItem(`svc-tree:${workspace}`);
  if (kept === null) {
    // The first page of this browser: the tree is shown once it is complete.
    tree.closest(".side-part").classList.add("side-filling");
    return;
  }
  fillTree(tree, workspace, kept);
})();

function keep(tree) {
  if (!document.documentElement.hasAttribute("data-shell-ready")) return;
  const copy = document.importNode(tree, true);
  for (const part of copy.querySelectorAll(".tree-more, .tree-plus, .tree-field")) part.remove();
  for (const item of copy.querySelectorAll(".tree-item, [data-read]"))
    for (const name of ["data-read", "style", "tabindex", "aria-current", "aria-selected"]) item.removeAttribute(name);
  const key = `svc-tree:${tree.dataset.tree}`;
  try {
    if (copy.innerHTML.length > MAX_KEPT) localStorage.removeItem(key);
    else localStorage.setItem(key, copy.innerHTML);
  } catch {
    // The storage is full or closed: the next page reads its tree anew.
  }
}

function fillTree(tree, workspace, kept) {
  const open = new Set(JSON.parse(localStorage.getItem(`svc-open:${workspace}`) ?? "[]"));
  const itemOf = (row) => row.querySelector(":scope > [role=treeitem]");
  const groupOf = (row) => row.querySelector(":scope > [role=group]");
  const keyOf = ({ dataset }) => `${dataset.kind}:${dataset.id}`;
  const rowsOf = (group) => new Map([...group.children].map((row) => [keyOf(itemOf(row)), row]));

  /** Gives the server's row the level that was open below it. */
  function fill(row, old) {
    const level = groupOf(old);
    if (!level || !(open.has(keyOf(itemOf(row))) || groupOf(row))) return;
    if (groupOf(row)) merge(groupOf(row), level);
    else row.append(level);
    itemOf(row).ariaExpanded = "true";
  }

  /** The previous rows in their order, replaced by the server's where it sent them again. */
  function merge(group, old) {
    const sent = rowsOf(group);
    for (const row of [...old.children]) {
      const own = sent.get(keyOf(itemOf(row)));
      if (own) fill(own, row);
      group.append(own ?? row);
    }
  }

  const before = rowsOf(new DOMParser().parseFromString(`<ul>${kept}</ul>`, "text/html").querySelector("ul"));
  for (const [key, row] of rowsOf(tree)) {
    const old = before.get(key);
    if (old) fill(row, old);
  }
  for (const item of tree.querySelectorAll(".tree-item")) item.style.setProperty("--level", item.ariaLevel);
}
