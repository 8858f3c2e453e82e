import type { Folder } from "../folders/queries.ts";
import { byName } from "../knowledge-bases/natural-order.ts";
import { FolderNames, safeName } from "./safe-name.ts";

/** What of a document its place in the archive depends on. */
export interface PlacedDocument {
  readonly id: string;
  readonly title: string;
  readonly folder_id: number | null;
}

interface FolderPlace {
  /** Empty for the top. */
  readonly path: string;
  readonly name: string;
  readonly folders: readonly number[];
  readonly documents: readonly string[];
}

/** Where everything goes: paths have no `/` at either end. */
export interface Layout {
  readonly folders: ReadonlyMap<number | null, FolderPlace>;
  /** Without an ending: `.md` and `.json` stand side by side. */
  readonly documents: ReadonlyMap<string, string>;
}

/** The bundle format keeps the first two for itself in every folder. */
const reserved = ["index.md", "log.md", "index.json", "log.json"];
const reservedAtTop = [...reserved, "manifest.json", "manifest.md", "attachments", "discussions", "deep"];
/** Longer paths do not unpack everywhere: such a folder goes to `deep/` instead. */
const MAX_PATH_BYTES = 700;

export function layOut(name: string, folders: readonly Folder[], documents: readonly PlacedDocument[]): Layout {
  const subfolders = Map.groupBy([...folders].sort(byName((folder) => folder.name)), (folder) => folder.parent_id);
  const inside = Map.groupBy([...documents].sort(byName((document) => document.title)), (doc) => doc.folder_id);
  const places = new Map<number | null, FolderPlace>();
  const paths = new Map<string, string>();
  const open: { id: number | null; path: string; name: string }[] = [{ id: null, path: "", name }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { id, path } = place;
    const names = new FolderNames(id === null ? reservedAtTop : reserved);
    const below = (step: string) => (path === "" ? step : `${path}/${step}`);
    const own = subfolders.get(id) ?? [];
    for (const folder of own)
      open.push({
        id: folder.id,
        path: pathOf(folder, below(names.take(safeName(folder.name), [""]))),
        name: folder.name,
      });
    const texts = inside.get(id) ?? [];
    for (const document of texts) paths.set(document.id, below(names.take(safeName(document.title), [".md", ".json"])));
    places.set(id, {
      path,
      name: place.name,
      folders: own.map((folder) => folder.id),
      documents: texts.map((document) => document.id),
    });
  }
  return { folders: places, documents: paths };
}

const pathOf = (folder: Folder, path: string): string =>
  Buffer.byteLength(path) <= MAX_PATH_BYTES ? path : `deep/${folder.id}`;

/** Files of the attachment's own folder, so a name cannot meet another. */
export const attachmentPath = (id: string, fileName: string): string => `attachments/${id}/${safeName(fileName)}`;

/** A path as a link in Markdown, from the top of the archive. */
export const bundleLink = (path: string): string =>
  `/${path.replace(/[^\p{L}\p{N}\p{M}\-._~/@!$+,;=]/gu, (character) => encodeURIComponent(character).replace(/[()'*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`))}`;
