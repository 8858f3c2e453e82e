/** Open to be written in, or with something written that was not sent. */
const isKept = (element: Element): boolean =>
  element instanceof HTMLDetailsElement &&
  (element.open || [...element.querySelectorAll("textarea")].some(({ value, defaultValue }) => value !== defaultValue));

const holdsKept = (element: Element): boolean =>
  isKept(element) || [...element.querySelectorAll("details")].some(isKept);

const keyOf = (element: Element): string => element.id || `${element.tagName}.${element.classList[0] ?? ""}`;

/** Makes an element as the server has it now; see `patchChildren`. */
function patch(old: Element, fresh: Element): void {
  if (isKept(old) || old.isEqualNode(fresh)) return;
  if (!holdsKept(old) && !old.contains(document.activeElement)) {
    old.replaceWith(fresh);
    return;
  }
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  if (fresh.childElementCount === 0 && !holdsKept(old)) old.textContent = fresh.textContent;
  else patchChildren(old, fresh);
}

/**
 * Makes what is in an element as the server has it now. Where somebody writes, and what they have the focus on, stays
 * the same element, with all that was typed there.
 */
export function patchChildren(old: Element, fresh: Element): void {
  const left = [...old.children];
  let last: Element | undefined;
  for (const child of [...fresh.children]) {
    const index = left.findIndex((one) => keyOf(one) === keyOf(child));
    const known = index < 0 ? undefined : left.splice(index, 1)[0];
    if (known) patch(known, child);
    else if (last) last.after(child);
    else old.prepend(child);
    last = old.contains(child) ? child : known;
  }
  for (const gone of left) if (!holdsKept(gone)) gone.remove();
}
