import { lookupTable } from "../lookup-table.ts";
import type { Attrs } from "../types.ts";

/** Defaults of attributes other than `null`. Writing a default out changes nothing. */
const nodeDefaults = lookupTable<Attrs>({
  orderedList: { start: 1 },
  taskItem: { checked: false },
  tableHeader: { colspan: 1, rowspan: 1 },
  tableCell: { colspan: 1, rowspan: 1 },
  callout: { kind: "note" },
  details: { open: false },
});

/** Attributes that a stock Tiptap link writes into every link; our HTML sets its own. */
const markDefaults = lookupTable<Attrs>({
  link: { target: "_blank", rel: "noopener noreferrer nofollow" },
});

const none: Attrs = Object.freeze({});

export const defaultsOfNode = (type: string): Attrs => nodeDefaults[type] ?? none;
export const defaultsOfMark = (type: string): Attrs => markDefaults[type] ?? none;
