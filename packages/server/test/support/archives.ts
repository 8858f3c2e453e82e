import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { defined } from "@svc/document/defined";
import type { Client, Loose } from "./client.ts";
import { startImport, zipOf } from "./fixtures.ts";
import { jobEnded } from "./jobs.ts";
import type { Person, World } from "./world.ts";

/** The answer to the export of a knowledge base or folder. */
export async function exportOf(
  world: World,
  { token }: Person,
  id: number,
  noun = "knowledge-bases",
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${world.url}/api/v1/${noun}/${id}/export`, { headers });
  assert.equal(reply.status, 200);
  return reply;
}

export const exported = async (world: World, person: Person, id: number): Promise<Buffer> =>
  Buffer.from(await (await exportOf(world, person, id)).arrayBuffer());

/** The job of an import that has ended. */
export const imported = async (client: Client, archive: Uint8Array, name?: string): Promise<Loose> =>
  jobEnded(client, "import-jobs", (await startImport(client, archive, name)).id);

/** The files of an archive by their paths, in order, as the system's unzip unpacks them. */
export function unzipped(archive: Buffer): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-archive-"));
  try {
    const target = join(folder, "out");
    writeFileSync(join(folder, "archive.zip"), archive);
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    execFileSync("unzip", ["-qq", "archive.zip", "-d", target], { cwd: folder, env });
    const paths = readdirSync(target, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(target, join(entry.parentPath, entry.name)))
      .sort();
    return new Map(paths.map((path) => [path, readFileSync(join(target, path))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The archive with its manifest changed. */
export async function withManifest(archive: Buffer, change: (manifest: Loose) => void): Promise<Buffer> {
  const files = unzipped(archive);
  const manifest: Loose = JSON.parse(defined(files.get("manifest.json")).toString());
  change(manifest);
  return zipOf({ ...Object.fromEntries(files), "manifest.json": JSON.stringify(manifest) });
}

/** Folders and titles, one line each, with the Markdown of documents by title. */
export async function pictureOf(client: Client, id: number): Promise<{ tree: string[]; texts: Map<string, string> }> {
  const tree: string[] = [];
  const texts = new Map<string, string>();
  const walk = async (items: Loose[], path: string): Promise<void> => {
    for (const item of items) {
      tree.push(path + (item.type === "folder" ? `${item.name}/` : item.title));
      if (item.type === "folder") await walk(item.children, `${path}${item.name}/`);
      else texts.set(item.title, await (await client.get(`/documents/${item.id}/content?format=markdown`)).text);
    }
  };
  await walk((await client.get(`/knowledge-bases/${id}/tree`)).data.children, "");
  return { tree, texts };
}
