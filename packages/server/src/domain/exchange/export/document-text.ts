import { serialiseAnchored } from "@svc/document/markdown/anchors";
import { sourceOf } from "@svc/document/properties/front-matter";
import { readProperties } from "@svc/document/properties/read-properties";
import { writeProperties } from "@svc/document/properties/write-properties";
import { slugs } from "@svc/document/read/slugs";
import type { StoredBody } from "../../../bodies/body.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { documentUri } from "../../library/documents/represent.ts";
import { type BundleLinks, bundleBlocks } from "./bundle-blocks.ts";

/** A JSON string is also a valid YAML scalar. */
const scalar = (value: string | null): string => (value === null ? "null" : JSON.stringify(value));
const isoOf = (time: number): string => new Date(time).toISOString();

/** A document as a Markdown file of the bundle: front matter, then the body with its anchors. */
export function documentText(document: DocumentRow, stored: StoredBody, links: BundleLinks): string {
  const body = stored.readOnce();
  const at = isoOf(document.updated_at);
  const head = [
    "type: Document",
    `title: ${scalar(document.title)}`,
    `id: ${document.id}`,
    `resource: ${documentUri(document.id)}`,
    `version: ${scalar(document.version)}`,
    `locale: ${scalar(document.locale)}`,
    `updated_at: ${scalar(at)}`,
    `generated: {by: svc, at: ${scalar(at)}}`,
  ];
  head.push(...propertyLines(document, new Set(head.map((line) => line.slice(0, line.indexOf(":"))))));
  const { text } = serialiseAnchored(bundleBlocks(body.content, links), slugs(body));
  return `---\n${head.join("\n")}\n---\n\n${text}`;
}

/** The document's own properties. Those that share a name with an exported property go under `properties`. */
function propertyLines({ front_matter }: DocumentRow, used: ReadonlySet<string>): string[] {
  const source = sourceOf(front_matter).replaceAll("\r\n", "\n");
  if (source === "") return [];
  const properties = readProperties(source);
  const isHidden = (name: string) => used.has(name) || name === "properties";
  const entries = Object.entries(properties);
  const own = Object.fromEntries(entries.filter(([name]) => !isHidden(name)));
  const hidden = Object.fromEntries(entries.filter(([name]) => isHidden(name)));
  const lines = [writeProperties(own, source)];
  if (Object.keys(hidden).length > 0) lines.push(writeProperties({ properties: hidden }));
  return lines.map((text) => text.trimEnd()).filter((text) => text !== "");
}

const escaped = (text: string): string => text.replace(/[\\[\]<>*_`&]/g, "\\$&").replace(/\s+/gu, " ");

interface IndexItem {
  readonly name: string;
  /** Path within the bundle. */
  readonly link: string;
}

/** The index of a folder's content. The top-level index also names the format. */
export function indexText(
  name: string,
  isTop: boolean,
  folders: readonly IndexItem[],
  documents: readonly IndexItem[],
): string {
  const list = (title: string, items: readonly IndexItem[]) =>
    items.length === 0 ? "" : `\n## ${title}\n\n${items.map((i) => `* [${escaped(i.name)}](${i.link})`).join("\n")}\n`;
  const head = isTop ? '---\nokf_version: "0.2"\n---\n\n' : "";
  return `${head}# ${escaped(name)}\n${list("Folders", folders)}${list("Documents", documents)}`;
}
