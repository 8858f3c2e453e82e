import { type Html, html, trusted } from "./html.ts";

/** One set of line icons on a grid of 20, drawn once per page and used by name. */
const paths: Readonly<Record<string, string>> = {
  base: '<path d="M4 3.5h9.5a2 2 0 0 1 2 2v11H6a2 2 0 0 1-2-2z"/><path d="M4 14.5a2 2 0 0 1 2-2h9.5"/>',
  folder: '<path d="M2.75 5.25h5l1.5 2h8v8h-14.5z"/>',
  document: '<path d="M5 2.75h6.5L15 6.25v11H5z"/><path d="M7.5 9.5h5M7.5 12.5h5"/>',
  spreadsheet: '<rect x="3" y="3.75" width="14" height="12.5" rx="1"/><path d="M3 8h14M8 8v8.25"/>',
  search: '<circle cx="9" cy="9" r="5.25"/><path d="m13 13 4 4"/>',
  home: '<path d="M3 9.5 10 3.5l7 6M5 8.5v8h10v-8"/>',
  review: '<path d="M4 4.5h12v8.5H9l-3.5 3V13H4z"/><path d="m7.5 8.75 1.75 1.75L12.75 7"/>',
  concept:
    '<circle cx="5.5" cy="6" r="2.25"/><circle cx="14.5" cy="7" r="2.25"/><circle cx="8.5" cy="14.5" r="2.25"/><path d="M7.75 6.25l4.5.5M6.25 8.250l1.5 4M13.250 9l-3.250 3.750"/>',
  bell: '<path d="M5 13.500c1-1 1.250-2.500 1.250-4.500a3.750 3.750 0 0 1 7.500 0c0 2 .250 3.500 1.250 4.500zM8.500 16a1.600 1.600 0 0 0 3 0"/>',
  trash: '<path d="M4 5.75h12M8 5.5V3.75h4V5.5M5.5 5.75l.75 10.5h7.5l.75-10.5"/>',
  people:
    '<circle cx="7.5" cy="7" r="2.75"/><path d="M2.5 16c.5-3 2.25-4.5 5-4.5s4.500 1.500 5 4.5M13 4.500a2.500 2.500 0 0 1 0 5M14.500 12c1.750.500 2.750 1.750 3 4"/>',
  activity: '<path d="M2.500 10.500h3.500l2.250-6 3.500 11 2.250-5h3.500"/>',
  usage: '<path d="M3.500 16.500v-6M8 16.500v-11M12.500 16.500v-8M17 16.500V4"/>',
  star: '<path d="m10 3 2.100 4.500 4.900.6-3.600 3.400.95 4.900L10 14l-4.350 2.400.95-4.900L3 8.100l4.900-.6z"/>',
  menu: '<path d="M3.500 6h13M3.500 10h13M3.500 14h13"/>',
  plus: '<path d="M10 4.500v11M4.500 10h11"/>',
  command: '<path d="m7.500 5 5 5-5 5"/>',
  file: '<path d="M13 6.500 8 11.500a2 2 0 0 0 2.800 2.800l5-5a3.500 3.500 0 0 0-5-5l-5.300 5.300a5 5 0 0 0 7 7l4-4"/>',
};

/** The drawings themselves, unseen; scripts use them too. */
export const iconSprite: Html = trusted(
  `<svg class="sprite" aria-hidden="true">${Object.entries(paths)
    .map(([name, path]) => `<symbol id="icon-${name}" viewBox="0 0 20 20">${path}</symbol>`)
    .join("")}</svg>`,
);

export const icon = (name: string): Html =>
  html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"/></svg>`;
