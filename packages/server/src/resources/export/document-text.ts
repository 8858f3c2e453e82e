import { serialiseAnchored } from "@svc/document/markdown/anchors";
import { slugs } from "@svc/document/read/slugs";
import type { StoredBody } from "../../bodies/body.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { documentUri } from "../documents/represent.ts";
import { type BundleLinks, bundleBlocks } from "./bundle-blocks.ts";

/** A JSON string is a YAML scalar too. */
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
  const { text } = serialiseAnchored(bundleBlocks(body.content, links), slugs(body));
  return `---\n${head.join("\n")}\n---\n\n${text}`;
}

const escaped = (text: string): string => text.replace(/[\\[\]<>*_`&]/g, "\\$&").replace(/\s+/gu, " ");

interface IndexItem {
  readonly name: string;
  /** Within the bundle. */
  readonly link: string;
}

/** The list of what a folder holds. The one at the top says which format this is. */
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
