/** Colours, sizes and alignment of a body: our policy keeps style attributes out, so they come as data. */
for (const element of document.querySelectorAll("[data-style]")) element.style.cssText = element.dataset.style;

/** On a phone the table of contents begins closed. */
const outline = document.querySelector(".outline");
if (outline && matchMedia("(max-width: 64rem)").matches) outline.open = false;

/** A link to a block that stands inside another one: the server knows where. */
const block = /^#(?:block=)?(block_\w+)$/.exec(location.hash)?.[1];
if (block && !document.getElementById(block) && !new URLSearchParams(location.search).has("block"))
  location.replace(`?block=${block}#${block}`);
