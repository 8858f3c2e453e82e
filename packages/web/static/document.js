/** Colours, sizes and alignment of a body: our policy keeps style attributes out, so they come as data. */
for (const element of document.querySelectorAll("[data-style]")) element.style.cssText = element.dataset.style;

/** On a phone the table of contents begins closed. */
const outline = document.querySelector(".outline");
if (outline && matchMedia("(max-width: 64rem)").matches) outline.open = false;
