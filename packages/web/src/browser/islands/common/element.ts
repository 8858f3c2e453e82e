import type { IconName } from "../../../shared/icons.ts";

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with attributes and children; text is never read as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  made.append(...children);
  return made;
}

/** The element that an event came from; null for an event of the window or the document. */
export const targetOf = ({ target }: Event): Element | null => (target instanceof Element ? target : null);

const SVG = "http://www.w3.org/2000/svg";

/** One of the icons that the page brings along (see web/src/icons.ts). */
export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}
