import { createHash } from "node:crypto";
import { type Archive, otherSum } from "../../../archives/open-archive.ts";

/** The files that a manifest lists. */
interface ManifestFiles {
  readonly documents: readonly {
    readonly body_path: string;
    readonly path?: string;
    readonly discussion_path?: string;
    readonly summary_path?: string;
    readonly style_path?: string;
    readonly file_addresses_path?: string;
    readonly attachments: readonly { readonly path: string }[];
  }[];
  readonly checksums: Readonly<Record<string, string>>;
}

/**
 * Refuses an archive if a file that belongs to no document does not match its checksum. Returns the listed files that
 * are missing. A document without a body is refused when it is read.
 */
export async function checkFiles(archive: Archive, { documents, checksums }: ManifestFiles): Promise<string[]> {
  const read = new Set(documents.flatMap(filesOf));
  for (const [path, sum] of Object.entries(checksums))
    if (!read.has(path) && archive.has(path) && (await sumOf(archive, path)) !== sum) throw otherSum(path);
  const named = new Set([...read, ...Object.keys(checksums)]);
  return [...named]
    .filter((path) => !archive.has(path))
    .map((path) => `${path.slice(0, 200)}: the manifest names this file, but it is not in the archive.`);
}

/** Files that are read, and checked, together with a document. */
const filesOf = ({ attachments, ...line }: ManifestFiles["documents"][number]): string[] =>
  [
    line.body_path,
    line.path,
    line.discussion_path,
    line.summary_path,
    line.style_path,
    line.file_addresses_path,
    ...attachments.map((file) => file.path),
  ].filter((file) => file !== undefined);

async function sumOf(archive: Archive, path: string): Promise<string> {
  const sum = createHash("sha256");
  for await (const piece of archive.content(path)) sum.update(piece);
  return sum.digest("hex");
}
