import { frontMatterOf, splitReadable } from "@svc/document/properties/front-matter";
import type { Properties } from "@svc/document/properties/read-properties";
import { writeProperties } from "@svc/document/properties/write-properties";
import type { ReadPage } from "./dialect.ts";
import { blocksOfHtml, lostInWords } from "./html-blocks.ts";
import { type Child, type Element, findElement, hasClass, isElement, textOfElement } from "./html-tree.ts";
import { plainTree } from "./notion-tree.ts";

/** The part above the text of a page. */
interface NotionHead {
  readonly title: string;
  readonly properties: readonly Property[];
}

interface Property {
  readonly name: string;
  readonly value: Properties[string];
  /** The value as a single line. */
  readonly text: string;
  readonly cell: Element;
}

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** The page element if Notion wrote the HTML; otherwise undefined. */
export function notionPageOf(root: Element): Element | undefined {
  const page = findElement(root, ({ name }) => name === "article") ?? root;
  return findElement(page, (element) => hasClass(element, "page-title")) ? page : undefined;
}

export function readNotionHead(page: Element): NotionHead {
  const title = findElement(page, (element) => hasClass(element, "page-title"));
  return { title: title ? oneLine(textOfElement(title)) : "", properties: readProperties(page) };
}

/** The page's properties become the document's. A property with a link also appears above the text. */
export function readNotionPage(path: string, page: Element): ReadPage {
  const { title, properties } = readNotionHead(page);
  const { frontMatter, problem } = frontMatterFrom(properties);
  const shown = problem ? properties : properties.filter(({ cell }) => leadsSomewhere(cell));
  const description = findElement(page, (element) => hasClass(element, "page-description"));
  const body = findElement(page, (element) => hasClass(element, "page-body"));
  const above = [...(description ? [description] : []), ...shown.map(lineOf)];
  const { blocks, lost } = blocksOfHtml(
    plainTree({ name: "", attrs: {}, children: [...above, ...(body?.children ?? [])] }),
  );
  const warnings = problem ? [`${path.slice(0, 200)}: the properties are kept as text. ${problem}`] : [];
  return {
    frontMatter,
    blocks,
    warnings: [...warnings, ...lostInWords(path, lost)],
    ...(title !== "" && { title }),
  };
}

/** `Name: value`, including links. */
const lineOf = ({ name, cell }: Property): Element => {
  const head: Element = { name: "strong", attrs: {}, children: [`${name}:`] };
  const value = plainTree({ name: "", attrs: {}, children: [{ ...cell, name: "td" }] }).children;
  return {
    name: "p",
    attrs: {},
    children: [head, " ", ...value.flatMap((child) => (isElement(child) ? child.children : [child]))],
  };
};

const leadsSomewhere = (cell: Element): boolean => {
  const link = findElement(cell, ({ name, attrs }) => name === "a" && attrs.href !== undefined && attrs.href !== "");
  return link !== undefined && textOfElement(link).trim() !== link.attrs.href;
};

function frontMatterFrom(properties: readonly Property[]): { readonly frontMatter: string; readonly problem?: string } {
  const values = Object.fromEntries(properties.map(({ name, value }) => [name, value]));
  const text = frontMatterOf(writeProperties(values));
  const { frontMatter, problem } = splitReadable(text);
  const isLost = properties.length > 0 && frontMatter === "";
  return { frontMatter, ...(isLost && { problem: problem ?? "They are too long." }) };
}

function readProperties(page: Element): Property[] {
  const table = findElement(page, (element) => hasClass(element, "properties"));
  if (!table) return [];
  return rowsOf(table).flatMap((row) => {
    const cells = row.children.filter(isElement);
    const [head, cell] = [cells.find(({ name }) => name === "th"), cells.find(({ name }) => name === "td")];
    if (!head || !cell) return [];
    const name = oneLine(wordsOf(head));
    const value = readValue(/property-row-(\w+)/.exec(row.attrs.class ?? "")?.[1] ?? "", cell);
    return name === "" || value === "" ? [] : [{ name, value, text: oneLine(wordsOf(cell)), cell }];
  });
}

const rowsOf = (element: Element): Element[] =>
  element.children.filter(isElement).flatMap((child) => (child.name === "tr" ? [child] : rowsOf(child)));

/** The text without icons. */
const wordsOf = (element: Element): string =>
  element.children.map((child) => (isElement(child) ? (isDrawing(child) ? "" : wordsOf(child)) : child)).join("");
const isDrawing = (element: Element): boolean => element.name === "svg" || hasClass(element, "property-icon");

const SEVERAL = new Set(["multi_select", "relation", "person", "people", "file"]);

function readValue(kind: string, cell: Element): Properties[string] {
  if (kind === "checkbox") return findElement(cell, (element) => hasClass(element, "checkbox-on")) !== undefined;
  const text = oneLine(wordsOf(cell));
  if (kind === "number" && text !== "" && String(Number(text)) === text) return Number(text);
  const time = findElement(cell, ({ name }) => name === "time");
  if (time) return dateOf(time, text);
  const parts = SEVERAL.has(kind) ? cell.children.filter(isPart).map((part) => oneLine(wordsOf(part))) : [];
  return parts.length > 1 || (kind === "multi_select" && parts.length > 0) ? parts : text;
}

const isPart = (child: Child): child is Element => isElement(child) && oneLine(wordsOf(child)) !== "";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A day as ISO 8601; ranges and times of day stay as written. */
function dateOf(time: Element, text: string): string {
  const { datetime } = time.attrs;
  const said = text.replace(/^@/, "");
  if (
    datetime !== undefined &&
    /^\d{4}-\d\d-\d\d/.test(datetime) &&
    said === oneLine(textOfElement(time)).replace(/^@/, "")
  )
    return datetime;
  const [, name = "", day = "", year] = /^([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4})$/.exec(said) ?? [];
  const month = MONTHS.indexOf(name) + 1;
  if (year === undefined || month === 0) return said;
  return `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
}
