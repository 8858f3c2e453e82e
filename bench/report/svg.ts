/** Colours by role. The card has its own background, so that the chart can be read on any page. */
const STYLE = `
  .card{fill:#ffffff;stroke:#d0d7de}
  text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}
  .title{font-size:15px;font-weight:600}.quiet{fill:#59636e}
  .grid{stroke:#d0d7de;stroke-width:1}.axis{stroke:#59636e;stroke-width:1}
  .goal{stroke:#1f2328;stroke-width:2}.one{fill:#f59e0b}.many{fill:#2f81f7}.missed{stroke:#e5534b;stroke-width:2.5}
  @media (prefers-color-scheme:dark){
    .card{fill:#0d1117;stroke:#3d444d}text{fill:#f0f6fc}.quiet{fill:#9198a1}
    .grid{stroke:#2a313c}.axis{stroke:#9198a1}.goal{stroke:#f0f6fc}
  }`;

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const attributes = (given: Readonly<Record<string, string | number>>): string =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${typeof value === "number" ? Number(value.toFixed(1)) : escapeText(value)}"`)
    .join("");

export const element = (name: string, given: Readonly<Record<string, string | number>>, inside = ""): string =>
  inside === "" ? `<${name}${attributes(given)}/>` : `<${name}${attributes(given)}>${inside}</${name}>`;

export const label = (x: number, y: number, text: string, more: Readonly<Record<string, string>> = {}): string =>
  element("text", { x, y, ...more }, escapeText(text));

export const line = (x1: number, y1: number, x2: number, y2: number, kind: string): string =>
  element("line", { x1, y1, x2, y2, class: kind });

/** A whole image: the card, its title and what is drawn on it. */
export function image(width: number, height: number, title: string, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(title)}">`;
  const card = element("rect", { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8, class: "card" });
  const content = [card, label(20, 28, title, { class: "title" }), ...parts].join("\n");
  return `${head}\n<style>${STYLE}\n</style>\n${content}\n</svg>\n`;
}

/** A logarithmic scale from values to pixels. */
export const logScale = (low: number, high: number, from: number, to: number) => (value: number) =>
  from + ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (to - from);
