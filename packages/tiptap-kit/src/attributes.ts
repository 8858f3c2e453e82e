import { defaultsOfNode } from "@svc/document/schema/defaults";
import { hasBlockId, nodeTypes } from "@svc/document/schema/nodes";
import { Extension } from "@tiptap/core";

/** Attributes that Tiptap's own extensions declare; they read and write them in their own way. */
const declared: Readonly<Record<string, readonly string[]>> = {
  heading: ["level"],
  orderedList: ["start", "type"],
  taskItem: ["checked"],
  codeBlock: ["language"],
  image: ["src", "alt", "title", "width", "height"],
  tableHeader: ["colspan", "rowspan", "colwidth", "align"],
  tableCell: ["colspan", "rowspan", "colwidth", "align"],
};

/** Attributes that the document model keeps without a rule of its own, and editors write. */
const common: Readonly<Record<string, readonly string[]>> = {
  paragraph: ["textAlign"],
  heading: ["textAlign"],
  codeBlock: ["meta"],
};

const textStyle = ["color", "backgroundColor", "fontFamily", "fontSize", "lineHeight"];

const htmlName = (name: string): string => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The value that an attribute of HTML carries: as JSON, or as plain text. */
function readValue(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An attribute as `data-…`, left out where it says nothing. */
const attribute = (name: string, fallback: unknown) => ({
  default: fallback,
  parseHTML: (element: { getAttribute(name: string): string | null }) =>
    readValue(element.getAttribute(htmlName(name))) ?? fallback,
  renderHTML: (attrs: Record<string, unknown>) => {
    const value = attrs[name];
    if (value === null || value === undefined || value === fallback) return {};
    return { [htmlName(name)]: typeof value === "string" ? value : JSON.stringify(value) };
  },
});

const attributesOf = (type: string) => {
  const names = [...Object.keys(nodeTypes[type]!.attrs), ...(common[type] ?? [])];
  const own = names.filter((name) => !declared[type]?.includes(name));
  return Object.fromEntries(own.map((name) => [name, attribute(name, defaultsOfNode(type)[name] ?? null)]));
};

/** The id of a block: a new block has none until the service gives it one. */
const blockId = { ...attribute("id", null), keepOnSplit: false };

/** Every attribute of the schema that Tiptap does not declare by itself. */
export const SchemaAttributes = Extension.create({
  name: "schemaAttributes",
  addGlobalAttributes: () => [
    ...Object.keys(nodeTypes).map((type) => ({ types: [type], attributes: attributesOf(type) })),
    { types: Object.keys(nodeTypes).filter(hasBlockId), attributes: { id: blockId } },
    { types: ["textStyle"], attributes: Object.fromEntries(textStyle.map((name) => [name, attribute(name, null)])) },
  ],
});
