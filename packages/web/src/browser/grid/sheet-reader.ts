import {
  cellGrid,
  cellText,
  frozenColumns,
  readColumn,
  readFormat,
  type SheetSource,
  sheetName,
  tableSource,
} from "@svc/document/sheet/table-source";
import type { Attrs, Node } from "@svc/document/types";
import { decodeElement } from "@svc/live/element";
import * as Y from "yjs";
import type { Layout } from "./follow.ts";

interface Row {
  readonly node: Node;
  readonly texts: readonly string[];
  /** No cell reaches over several columns or rows. */
  readonly isPlain: boolean;
}

export const rowElements = (table: Y.XmlElement): Y.XmlElement[] =>
  table.toArray().filter((child) => child instanceof Y.XmlElement);

/** Reads tables of a live document, each row once until it changes. */
export class SheetReader {
  readonly #rows = new WeakMap<Y.XmlElement, Row>();

  /** Whatever is inside of a row makes the row be read again. */
  forget(changed: unknown): void {
    for (let node = changed; node instanceof Y.AbstractType; node = node.parent)
      if (node instanceof Y.XmlElement) this.#rows.delete(node);
  }

  row(element: Y.XmlElement): Row {
    const known = this.#rows.get(element);
    if (known) return known;
    const node = decodeElement(element);
    const cells = node.content ?? [];
    const isPlain = cells.every(({ attrs }) => !(Number(attrs?.colspan) > 1) && !(Number(attrs?.rowspan) > 1));
    const row = { node, texts: cells.map(cellText), isPlain };
    this.#rows.set(element, row);
    return row;
  }

  /** `index`: the place of the table among all, which names it where it has no name. */
  source(table: Y.XmlElement, index: number): SheetSource {
    const rows = rowElements(table).map((element) => this.row(element));
    const name: unknown = table.getAttribute("name");
    const attrs: Attrs = {
      ...(typeof name === "string" && { name }),
      frozenColumns: Number(table.getAttribute("frozenColumns") ?? 0),
    };
    const own: Node = { type: "table", attrs, content: rows.map(({ node }) => node) };
    if (!rows.every(({ isPlain }) => isPlain)) return tableSource(own, index);
    const first = rows[0]?.node.content ?? [];
    return {
      name: sheetName(own, index),
      rows: rows.map(({ texts }) => texts),
      columns: first.map(readColumn),
      formats: first.map(readFormat),
      frozenColumns: frozenColumns(own),
      hasHeader: first.length > 0 && first.every(({ type }) => type === "tableHeader"),
    };
  }

  layout(tableId: string | undefined, table: Y.XmlElement | undefined): Layout {
    const rows = table ? rowElements(table).map((element) => this.row(element)) : [];
    const grid = rows.every(({ isPlain }) => isPlain)
      ? undefined
      : cellGrid({ type: "table", content: rows.map(({ node }) => node) });
    return {
      tableId,
      rows: rows.map(({ node }, y) => keyOf(node, y)),
      cells: (row) => (grid?.[row] ?? rows[row]?.node.content ?? []).map(keyOf),
    };
  }
}

/** The id; where a merged cell reaches, which has none, the place. */
const keyOf = (node: Node | undefined, place: number): string => String(node?.attrs?.id ?? place);
