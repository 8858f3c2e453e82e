import { parseMarkdown } from "../markdown/parse.ts";
import { serialiseBody } from "../markdown/serialise.ts";
import { defaultsOfMark, defaultsOfNode } from "../schema/defaults.ts";
import { type AttrRule, hasBlockId, markRules, type NodeType, nodeTypes } from "../schema/nodes.ts";
import { childrenOf } from "../schema/type-hint.ts";
import type { Attrs, Node } from "../types.ts";
import { markSamples, nodeSamples, type Sample } from "./samples.ts";

const OPENING = `# Nodes and marks

A body is a tree of nodes as ProseMirror and Tiptap write them: \`{"type": "doc", "content": [blocks]}\`. This page lists every type, its attributes and its Markdown, for those who write clients. It is made from the schema that the service checks writes with.

- **Ids.** Every node that is not inline has a stable id in \`attrs.id\`. A write may leave it out: the service then gives one. Ids are unique in a document.
- **Attributes** that are not listed are kept as they were sent. One that is \`null\`, or has its default, means the same as one that is absent.
- **Unknown types** are refused with 422 \`invalid_document\`, which names the path.
- **Text** is a node \`{"type": "text", "text": "…", "marks": […]}\`.
- A stock Tiptap editor opens and saves bodies without changing them when it has the extensions of the package \`@svc/tiptap-kit\`.
`;

const KINDS: Record<NodeType["kind"], string> = {
  block: "a block: stands at the top level, or in another block that takes blocks",
  part: "a part: stands in its own parent only",
  inline: "inline: stands in a line of text",
};

const RULES: Record<AttrRule, string> = {
  string: "text",
  boolean: "`true` or `false`",
  integer: "a whole number",
  span: "a whole number from 1",
  size: "a number, or text such as `50%`",
  level: "1 to 6, required",
};

const fenced = (language: string, content: string): string => {
  const fence = content.includes("```") ? "````" : "```";
  return `${fence}${language}\n${content.trimEnd()}\n${fence}`;
};

const quoted = (type: string): string => `\`${type}\``;

function attributes(rules: Readonly<Record<string, AttrRule>>, defaults: Attrs): string {
  const rows = Object.entries(rules).map(([name, rule]) => {
    const known = defaults[name];
    return `| \`${name}\` | ${RULES[rule]} | ${known === undefined ? "none" : `\`${JSON.stringify(known)}\``} |`;
  });
  return rows.length === 0 ? "" : ["| Attribute | Value | Default |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The nodes that a sample stands for. */
export const sampleNodes = ({ markdown, node }: Sample): readonly Node[] =>
  markdown === null ? (node ? [node] : []) : parseMarkdown(markdown);

function example(sample: Sample): string {
  const nodes = sampleNodes(sample);
  const json = JSON.stringify(nodes.length === 1 ? nodes[0] : nodes, null, 1).replace(/\n\s*/g, " ");
  const markdown = sample.markdown ?? serialiseBody(nodes).text;
  const note = sample.markdown === null ? ["As Markdown it is written so, and not read back as this type:"] : [];
  return [...note, fenced("markdown", markdown), fenced("json", json)].join("\n\n");
}

const part = (...paragraphs: readonly string[]): string => paragraphs.filter((one) => one !== "").join("\n\n");

function nodePart(type: string, node: NodeType): string {
  const sample = nodeSamples[type];
  if (!sample) throw new Error(`The guide has no sample of ${type}.`);
  const id = hasBlockId(type) ? " Has an id." : "";
  const facts = `${sample.about} It is ${KINDS[node.kind]}. It holds ${childrenOf(node, quoted)}${node.mayBeEmpty || node.kind === "inline" ? "" : ", at least one"}.${id}`;
  return part(`### \`${type}\``, facts, attributes(node.attrs, defaultsOfNode(type)), example(sample));
}

function markPart(type: string): string {
  const sample = markSamples[type];
  if (!sample) throw new Error(`The guide has no sample of ${type}.`);
  return part(
    `### \`${type}\``,
    sample.about,
    attributes(markRules.get(type) ?? {}, defaultsOfMark(type)),
    example(sample),
  );
}

/** Every node and mark with its attributes and its Markdown, as a page of Markdown. */
export function nodeGuide(): string {
  const nodes = Object.entries(nodeTypes).map(([type, node]) => nodePart(type, node));
  const marks = [...markRules.keys()].map(markPart);
  return `${part(OPENING.trimEnd(), "## Nodes", ...nodes, "## Marks", ...marks)}\n`;
}
