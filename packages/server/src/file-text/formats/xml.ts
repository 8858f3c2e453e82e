import { Parser } from "htmlparser2";
import type { Archive } from "../../archives/open-archive.ts";

interface XmlHandler {
  open?(name: string, attrs: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Bytes of one part of an archive that are read. */
const MAX_PART_BYTES = 256 * 1024 * 1024;

/**
 * Reads a part of an archive as a stream, so that it is never in memory as a whole. The parser knows no entities but
 * XML's own. `isDone` ends the reading early.
 */
export async function readXml(
  archive: Archive,
  path: string,
  { open, close, text }: XmlHandler,
  isDone: () => boolean = () => false,
): Promise<void> {
  if (!archive.has(path)) return;
  const parser = new Parser(
    {
      onopentag: (name, attrs) => open?.(name, attrs),
      onclosetag: (name) => close?.(name),
      ontext: (one) => text?.(one),
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const piece of archive.content(path)) {
    bytes += piece.length;
    if (isDone() || bytes > MAX_PART_BYTES) return;
    parser.write(decoder.decode(piece, { stream: true }));
  }
  parser.end();
}

/** The relations of a part: the path of each target by its id. */
export async function readRelations(archive: Archive, path: string): Promise<Map<string, string>> {
  const at = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, at);
  const targets = new Map<string, string>();
  await readXml(archive, `${folder}_rels/${path.slice(at)}.rels`, {
    open(_name, { Id, Target, TargetMode }) {
      if (Id !== undefined && Target !== undefined && TargetMode !== "External" && targets.size < MAX_RELATIONS)
        targets.set(Id, resolved(folder, Target));
    },
  });
  return targets;
}

const MAX_RELATIONS = 50_000;

const resolved = (folder: string, target: string): string =>
  decodeURIComponent(new URL(target.replaceAll("%", "%25"), `http://x/${folder}`).pathname.slice(1));
