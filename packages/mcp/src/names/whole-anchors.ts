import type { Client } from "@svc/sdk";

const SHORT = /^( {0,3})<!--@([0-9A-HJKMNP-TV-Z]{8})-->/gm;

/** Markdown with the short anchors that read_document shows written out, as the service reads them. */
export async function wholeAnchors(client: Client, id: string, markdown: string): Promise<string> {
  const wanted = new Set([...markdown.matchAll(SHORT)].map(([, , ending]) => ending));
  if (wanted.size === 0) return markdown;
  const { data } = await client.get("/documents/{id}/blocks", { path: { id } });
  const ids = new Map(data.map((block) => [block.id.slice(-8), block.id]));
  return markdown.replace(SHORT, (_, blanks, ending) => `${blanks}<!--@block=${ids.get(ending) ?? ending}-->`);
}
