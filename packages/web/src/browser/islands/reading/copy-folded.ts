/** Copies with a selection what is folded in it: browsers take that along at one time and leave it out at another. */
export function startCopyOfFolded(): void {
  document.addEventListener("copy", () => {
    const selection = getSelection();
    const folded = [...document.querySelectorAll<HTMLDetailsElement>(".prose details:not([open])")].filter((details) =>
      selection?.containsNode(details, true),
    );
    for (const details of folded) details.open = true;
    // The browser copies when the event is over, before it draws the page again.
    setTimeout(() => {
      for (const details of folded) details.open = false;
    });
  });
}
