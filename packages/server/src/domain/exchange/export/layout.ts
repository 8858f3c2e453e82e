import { FolderNames, safeName } from "../../../archives/safe-name.ts";
import type { Folder } from "../../library/folders/queries.ts";
import { byName } from "../../library/order/natural-order.ts";

/** The fields of a document that determine its path in the archive. */
export interface PlacedDocument {
  readonly id: string;
  readonly title: string;
  readonly folder_id: number | null;
}

interface FolderPlace {
  /** Empty for the top folder. */
  readonly path: string;
  readonly name: string;
  readonly folders: readonly number[];
  readonly documents: readonly string[];
}

/** The paths of everything in the archive, without a leading or trailing `/`. */
export interface Layout {
  readonly folders: ReadonlyMap<number | null, FolderPlace>;
  /** Without an extension: each document has a `.md` and a `.json` file. */
  readonly documents: ReadonlyMap<string, string>;
}

/** The bundle format reserves the first two names in every folder. */
const reserved = ["index.md", "log.md", "index.json", "log.json"];
const reservedAtTop = [
  ...reserved,
  "manifest.json",
  "manifest.md",
  "attachments",
  "discussions",
  "file-addresses",
  "deep",
];
/** Longer paths cannot be unpacked everywhere; a folder with a longer path goes to `deep/` instead. */
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

/** Each attachment has its own folder, so that names cannot collide. */
export const attachmentPath = (id: string, fileName: string): string => `attachments/${id}/${safeName(fileName)}`;

/** A path as a Markdown link, relative to the top of the archive. */
export const bundleLink = (path: string): string =>
  `/${path.replace(/[^\p{L}\p{N}\p{M}\-._~/@!$+,;=]/gu, (character) => encodeURIComponent(character).replace(/[()'*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`))}`;
