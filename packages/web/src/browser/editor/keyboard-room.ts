/** Sets a style property to the height that a phone's keyboard covers, in browsers that lay it over the page. */
export function followKeyboard(): void {
  const view = visualViewport;
  if (!view) return;
  const update = () => {
    // A page that somebody has zoomed into is larger than what is seen, too.
    const covered = view.scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - view.height - view.offsetTop));
    document.documentElement.style.setProperty("--keyboard", `${covered}px`);
  };
  for (const kind of ["resize", "scroll"]) view.addEventListener(kind, update, { passive: true });
}
