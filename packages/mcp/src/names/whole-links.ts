import type { Client } from "@svc/sdk";

const SHORT = /\bsvc:\/\/doc\/([0-9A-HJKMNP-TV-Z]{8})(?![0-9A-Za-z_])/g;

/** Markdown whose links name documents by the short ids that answers show, with the whole ids; unknown ones stay. */
export async function wholeLinks(client: Client, markdown: string): Promise<string> {
  const endings = [...new Set([...markdown.matchAll(SHORT)].map(([, ending]) => ending!))];
  const ids = new Map<string, string>();
  for (const id_ends of endings) {
    const { data } = await client.get("/documents", { query: { id_ends, include_variants: true, limit: 2 } });
    if (data.length === 1) ids.set(id_ends, data[0]!.id);
  }
  return markdown.replace(SHORT, (whole, ending) => (ids.has(ending) ? `svc://doc/${ids.get(ending)}` : whole));
}
