import { html, type Part } from "../../html.ts";

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

const WIDTH = 720;
const HEIGHT = 420;
const MOST = 24;
const LONGEST = 22;

/** The concept in the middle, its neighbours in a ring around it, and theirs in a second one. */
function placeNodes(nodes: readonly GraphNode[]): Map<string, { readonly x: number; readonly y: number }> {
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  for (const depth of new Set(nodes.map((node) => node.depth))) {
    const ring = nodes.filter((node) => node.depth === depth);
    for (const [index, node] of ring.entries()) {
      const angle = (2 * Math.PI * index) / ring.length - Math.PI / 2 + depth * 0.4;
      const reach = depth === 0 ? 0 : 0.2 + 0.22 * Math.min(depth, 2) * (1.0 + 0.02 * (index % 2));
      const x = Math.round(WIDTH / 2 + Math.cos(angle) * reach * WIDTH * 0.62);
      const y = Math.round(HEIGHT / 2 + Math.sin(angle) * reach * HEIGHT * 0.66);
      places.set(node.id, { x, y });
    }
  }
  return places;
}

const shorten = (name: string): string => {
  const letters = [...name];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : name;
};

/** A small drawing; the same stands as a list beside it. */
export function conceptGraph(all: readonly GraphNode[], edges: readonly GraphEdge[]): Part {
  const nodes = [...all].sort((a, b) => a.depth - b.depth).slice(0, MOST);
  if (nodes.length < 2) return undefined;
  const places = placeNodes(nodes);
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
    const sign = html`<circle cx="${x}" cy="${y}" r="${node.depth === 0 ? 9 : 6}"/><text x="${x}" y="${y + 22}" text-anchor="middle">${shorten(node.name)}</text>`;
    return node.depth === 0
      ? html`<g class="graph-here">${sign}</g>`
      : html`<a href="/concepts/${node.id}" tabindex="-1">${sign}</a>`;
  });
  return html`<svg class="graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${lines}${names}</svg>`;
}
