import { writeZip } from "@svc/server/resources/export/write-zip";
import type { Running } from "./processes.ts";
import type { Store } from "./store.ts";

/** A ZIP archive of texts by path. */
export async function zipOf(files: Iterable<readonly [path: string, text: string]>): Promise<Blob> {
  async function* entries() {
    for (const [path, text] of files) yield { path, modified: new Date(), content: Buffer.from(text) };
  }
  return new Blob((await Array.fromAsync(writeZip(entries()))).map((chunk) => Uint8Array.from(chunk)));
}

/** Sends an archive to be imported; the id of its job. */
export async function startImport(
  { address }: Running,
  { headers }: Pick<Store, "headers">,
  archive: Blob,
): Promise<string> {
  const form = new FormData();
  form.set("file", archive, "archive.zip");
  const sent = await fetch(`${address}/api/v1/knowledge-bases/import`, { method: "POST", headers, body: form });
  const text = await sent.text();
  if (sent.status !== 202) throw new Error(text);
  return JSON.parse(text).data.id;
}
