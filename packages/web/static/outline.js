/** Where the contents stand above the text, they begin closed. */
const outline = document.querySelector(".outline");
if (outline && matchMedia("(max-width: 63.999rem)").matches) outline.open = false;
outline?.setAttribute("data-settled", "");
