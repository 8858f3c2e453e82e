import { type Html, html, trusted } from "./html.ts";

/** Line icons on a grid of 20, included once per page and used by name. */
const paths = {
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
  ask: '<path d="M4 4.500h12v9H9.500L6.500 16.500v-3H4z"/><path d="M8.500 7.750a1.600 1.600 0 1 1 2.200 1.500c-.450.200-.700.450-.700.900M10 11.750v.01"/>',
  agent:
    '<rect x="4" y="7" width="12" height="8.500" rx="2"/><path d="M10 7V4M8 11v.01M12 11v.01M2.500 10v2.500M17.500 10v2.500"/>',
  import: '<path d="M10 3v9M6.500 8.500 10 12l3.500-3.500M3.500 13v3.500h13V13"/>',
  plus: '<path d="M10 4.500v11M4.500 10h11"/>',
  command: '<path d="m7.500 5 5 5-5 5"/>',
  file: '<path d="M13 6.500 8 11.500a2 2 0 0 0 2.800 2.800l5-5a3.500 3.500 0 0 0-5-5l-5.300 5.300a5 5 0 0 0 7 7l4-4"/>',
  undo: '<path d="M6.500 5 3.500 8l3 3M4 8h7.500a4 4 0 0 1 0 8H8"/>',
  redo: '<path d="m13.500 5 3 3-3 3M16 8H8.500a4 4 0 0 0 0 8H12"/>',
  bold: '<path d="M6.500 4.500h4a2.750 2.750 0 0 1 0 5.500h-4zM6.500 10h4.750a2.750 2.750 0 0 1 0 5.500H6.500z"/>',
  italic: '<path d="M8.500 4.500h5M6.500 15.500h5M11.500 4.500l-3 11"/>',
  underline: '<path d="M6 4v5.500a4 4 0 0 0 8 0V4M5 16.500h10"/>',
  strike:
    '<path d="M4 10h12M13.500 6.500c-.5-1.250-1.750-2-3.500-2-2 0-3.500 1-3.500 2.750 0 1 .5 1.750 1.500 2.250M6.500 13.500c.5 1.250 1.750 2 3.500 2 2 0 3.500-1 3.500-2.750 0-.75-.250-1.250-.75-1.750"/>',
  code: '<path d="m7 6-4 4 4 4M13 6l4 4-4 4"/>',
  heading: '<path d="M5.500 4.500v11M14.500 4.500v11M5.500 10h9"/>',
  "bullet-list": '<path d="M8 5.500h9M8 10h9M8 14.500h9M4 5.500h.01M4 10h.01M4 14.500h.01"/>',
  "ordered-list":
    '<path d="M8.500 5.500H17M8.500 10H17M8.500 14.500H17M3.250 4.500l1-.5v3.250M3.250 12.750c.250-1 2-1 2 .250 0 1-2 1.500-2 2.500h2"/>',
  "task-list":
    '<rect x="3" y="3.500" width="5" height="5" rx="1"/><rect x="3" y="11.500" width="5" height="5" rx="1"/><path d="m4.250 6 1 1 1.500-1.750M11 6h6M11 14h6"/>',
  quote:
    '<path d="M8 5.500c-2.750.5-4 2.500-4 5.500v3.500h4.250V11H4M16 5.500c-2.750.5-4 2.500-4 5.500v3.500h4.250V11H12"/>',
  "code-block":
    '<rect x="2.750" y="3.750" width="14.500" height="12.500" rx="1.500"/><path d="m8 7.750-2.250 2.250L8 12.250M12 7.750 14.250 10 12 12.250"/>',
  table: '<rect x="3" y="4" width="14" height="12" rx="1"/><path d="M3 8h14M3 12h14M10 8v8"/>',
  settings:
    '<path d="M3 6h7M15 6h2M3 14h2M10 14h7"/><circle cx="12.500" cy="6" r="2"/><circle cx="7.500" cy="14" r="2"/>',
  help: '<circle cx="10" cy="10" r="7"/><path d="M8 8.250a2 2 0 1 1 2.750 1.850c-.5.250-.75.650-.75 1.250M10 13.750v.01"/>',
  keyboard:
    '<rect x="2.500" y="5" width="15" height="10" rx="1.500"/><path d="M7 12h6M5.500 8.500h.01M8.500 8.500h.01M11.500 8.500h.01M14.500 8.500h.01"/>',
  highlight: '<path d="m11.500 3.500 5 5-6 5.500H7.250L5.500 12.250zM3.500 17h7"/>',
  subscript: '<path d="m3.500 5 6 8M9.500 5l-6 8M13 13.250c.250-1.250 3-1.250 3 .250 0 1-3 2-3 3.250h3.250"/>',
  superscript: '<path d="m3.500 7 6 8M9.500 7l-6 8M13 4c.250-1.250 3-1.250 3 .250 0 1-3 2-3 3.250h3.250"/>',
  colours: '<path d="M6 12.500 10 3.500l4 9M7.500 9.500h5M4 16.500h12"/>',
  align: '<path d="M4 5h12M4 8.500h8M4 12h12M4 15.500h8"/>',
  comment: '<path d="M4 4.500h12v9H9.500L6.500 16.500v-3H4z"/>',
  info: '<circle cx="10" cy="10" r="7"/><path d="M10 9.250v4.250M10 6.500v.01"/>',
  history: '<path d="M3.750 7.250A7 7 0 1 1 3 10M3.500 3.750v3.750h3.750M10 6.500V10l2.500 1.750"/>',
  more: '<path stroke-width="2.250" d="M5 10v.01M10 10v.01M15 10v.01"/>',
  close: '<path d="m5.500 5.500 9 9M14.500 5.500l-9 9"/>',
  grip: '<path stroke-width="2.250" d="M7.500 5v.01M12.500 5v.01M7.500 10v.01M12.500 10v.01M7.500 15v.01M12.500 15v.01"/>',
};

/** The hidden drawings that icons refer to; scripts use them too. */
export const iconSprite: Html = trusted(
  `<svg class="sprite" aria-hidden="true">${Object.entries(paths)
    .map(([name, path]) => `<symbol id="icon-${name}" viewBox="0 0 20 20">${path}</symbol>`)
    .join("")}</svg>`,
);

export type IconName = keyof typeof paths;

export const icon = (name: IconName): Html =>
  html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"/></svg>`;
