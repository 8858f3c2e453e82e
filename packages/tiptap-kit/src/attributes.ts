import { isColour } from "@svc/document/html/style";
import { defaultsOfNode } from "@svc/document/schema/defaults";
import { type AttrRule, hasBlockId, nodeTypes } from "@svc/document/schema/nodes";
import { Extension } from "@tiptap/core";

/** Attributes that Tiptap's own extensions declare, read and write themselves. */
const declared: Readonly<Record<string, readonly string[]>> = {
  heading: ["level"],
  orderedList: ["start", "type"],
  taskItem: ["checked"],
  codeBlock: ["language"],
  image: ["src", "alt", "title", "width", "height"],
  tableHeader: ["colspan", "rowspan", "colwidth", "align"],
  tableCell: ["colspan", "rowspan", "colwidth", "align"],
};

/** Attributes that editors write and the document model keeps without a rule for them. */
const common: Readonly<Record<string, Readonly<Record<string, AttrRule>>>> = {
  paragraph: { textAlign: "string" },
  heading: { textAlign: "string" },
  codeBlock: { meta: "string" },
};

const textStyle: Readonly<Record<string, AttrRule>> = { fontFamily: "string", fontSize: "size", lineHeight: "size" };

const htmlName = (name: string): string => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Reads an HTML attribute: a text stays a text, even if it is all digits; anything else is parsed as JSON where
 * possible.
 */
function readValue(text: string | null, rule: AttrRule): unknown {
  if (text === null || rule === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An attribute as `data-…`, omitted if it has the default value. */
const attribute = (name: string, rule: AttrRule, fallback: unknown = null) => ({
  default: fallback,
  parseHTML: (element: { getAttribute(name: string): string | null }) =>
    readValue(element.getAttribute(htmlName(name)), rule) ?? fallback,
  renderHTML: (attrs: Record<string, unknown>) => {
    const value = attrs[name];
    if (value === null || value === undefined || value === fallback) return {};
    return { [htmlName(name)]: typeof value === "string" ? value : JSON.stringify(value) };
  },
});

/**
 * A colour as a style, and as a custom property so that a stylesheet can adapt it to dark mode. A value that is not a
 * colour is kept but styles nothing.
 */
export const colour = (name: string, property: "color" | "background-color") => ({
  default: null,
  parseHTML: (element: { getAttribute(name: string): string | null; readonly style: CSSStyles }) =>
    element.getAttribute(htmlName(name)) ?? (element.style.getPropertyValue(property) || null),
  renderHTML: (attrs: Record<string, unknown>) => {
    const value = attrs[name];
    if (typeof value !== "string" || value === "") return {};
    const style = isColour(value) ? { style: `${property}: ${value}; --${property}: ${value}` } : {};
    return { [htmlName(name)]: value, ...style };
  },
});

const sides: readonly unknown[] = ["left", "center", "right"];

/** The alignment of a table cell as a style; Tiptap's own extension allows any text there. */
export const cellAlign = {
  default: null,
  parseHTML: (element: { getAttribute(name: string): string | null; readonly style: CSSStyles }) => {
    const side = element.style.getPropertyValue("text-align") || element.getAttribute("align");
    return sides.includes(side) ? side : null;
  },
  renderHTML: ({ align }: Record<string, unknown>) => (sides.includes(align) ? { style: `text-align: ${align}` } : {}),
};

/** Whether a task is done: the item's attribute, or else its checkbox. */
export const taskChecked = {
  default: false,
  keepOnSplit: false,
  parseHTML: (element: Box & { querySelector(selector: string): Box | null }) => {
    const said = element.getAttribute("data-checked");
    if (said !== null) return said === "" || said === "true";
    return (element.querySelector('input[type="checkbox"]')?.getAttribute("checked") ?? null) !== null;
  },
  renderHTML: ({ checked }: Record<string, unknown>) => ({ "data-checked": checked }),
};

interface Box {
  getAttribute(name: string): string | null;
}

/** The part of an element's style that is used. The browser's types are not available everywhere. */
interface CSSStyles {
  getPropertyValue(name: string): string;
}

const attributesOf = (type: string) => {
  const rules = Object.entries({ ...nodeTypes[type]!.attrs, ...common[type] });
  const own = rules.filter(([name]) => !declared[type]?.includes(name));
  return Object.fromEntries(
    own.map(([name, rule]) => [name, attribute(name, rule, defaultsOfNode(type)[name] ?? null)]),
  );
};

/** A block's id: a new block has none until the service assigns one. */
const blockId = { ...attribute("id", "string"), keepOnSplit: false };

/** Declares every attribute of the schema that Tiptap does not declare. */
export const SchemaAttributes = Extension.create({
  name: "schemaAttributes",
  addGlobalAttributes: () => [
    ...Object.keys(nodeTypes).map((type) => ({ types: [type], attributes: attributesOf(type) })),
    { types: Object.keys(nodeTypes).filter(hasBlockId), attributes: { id: blockId } },
    {
      types: ["textStyle"],
      attributes: {
        color: colour("color", "color"),
        backgroundColor: colour("backgroundColor", "background-color"),
        ...Object.fromEntries(Object.entries(textStyle).map(([name, rule]) => [name, attribute(name, rule)])),
      },
    },
  ],
});
