import { html, type Part } from "../../../shared/html.ts";

export interface GraphNode {
  readonly id: string;
  readonly name: string;
  /** Steps from the concept in the middle. */
  readonly depth: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly predicate: string;
}

interface Sheet {
  readonly name: "wide" | "narrow";
  readonly width: number;
  readonly height: number;
  /** Max concepts on the ring. */
  readonly most: number;
  /** Max letters of a name. */
  readonly longest: number;
  /** The radius of the ring as a fraction of width and height; the second ring is half as far again. */
  readonly reach: { readonly x: number; readonly y: number };
  /** How much larger a ring is without a second one around it. */
  readonly alone: number;
}

/** The side of the touch target around a sign and its name; on a phone a drawing is about as wide as its sheet. */
const TOUCH = 48;

/** Drawn twice: letters that shrink with the drawing are unreadable on a phone. */
const SHEETS: readonly Sheet[] = [
  { name: "wide", width: 720, height: 420, most: 24, longest: 22, reach: { x: 0.26, y: 0.28 }, alone: 1.4 },
  { name: "narrow", width: 320, height: 420, most: 9, longest: 14, reach: { x: 0.31, y: 0.4 }, alone: 1 },
];

/** Places the concept in the middle, its neighbours on a ring around it, and theirs on a second one. */
function placeNodes(
  nodes: readonly GraphNode[],
  { width, height, reach, alone }: Sheet,
): Map<string, { readonly x: number; readonly y: number }> {
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  const stretch = nodes.some(({ depth }) => depth > 1) ? 1 : alone;
  for (const depth of new Set(nodes.map((node) => node.depth))) {
    const ring = nodes.filter((node) => node.depth === depth);
    for (const [index, node] of ring.entries()) {
      const angle = (2 * Math.PI * index) / ring.length - Math.PI / 2 + depth * 0.4;
      const far = depth === 0 ? 0 : stretch * ((Math.min(depth, 2) + 1) / 2 + 0.02 * (index % 2));
      const x = Math.round(width / 2 + Math.cos(angle) * far * reach.x * width);
      const y = Math.round(height / 2 + Math.sin(angle) * far * reach.y * height);
      places.set(node.id, { x, y });
    }
  }
  return places;
}

const shorten = (name: string, longest: number): string => {
  const letters = [...name];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : name;
};

/** A small drawing; a list beside it has the same content. */
export const conceptGraph = (nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Part =>
  nodes.length > 1 && SHEETS.map((sheet) => drawing(sheet, nodes, edges));

function drawing(sheet: Sheet, all: readonly GraphNode[], edges: readonly GraphEdge[]): Part {
  const nodes = [...all].sort((a, b) => a.depth - b.depth).slice(0, sheet.most);
  const places = placeNodes(nodes, sheet);
  const lines = edges.flatMap(({ from, to, predicate }) => {
    const [a, b] = [places.get(from), places.get(to)];
    return a && b
      ? [
          html`<line x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"><title>${predicate.replaceAll("_", " ")}</title></line>`,
        ]
      : [];
  });
  const names = nodes.map((node) => {
    const { x, y } = places.get(node.id)!;
    const sign = html`<circle cx="${x}" cy="${y}" r="${node.depth === 0 ? 9 : 6}"/><text x="${x}" y="${y + 22}" text-anchor="middle">${shorten(node.name, sheet.longest)}</text>`;
    return node.depth === 0
      ? html`<g class="graph-here">${sign}</g>`
      : html`<a href="/concepts/${node.id}" tabindex="-1"><rect class="graph-touch" x="${x - TOUCH / 2}" y="${y - 14}" width="${TOUCH}" height="${TOUCH}"/>${sign}</a>`;
  });
  return html`<svg class="graph graph-${sheet.name}" viewBox="0 0 ${sheet.width} ${sheet.height}" aria-hidden="true">${lines}${names}</svg>`;
}
