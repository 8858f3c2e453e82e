import type { Client } from "@svc/sdk";
import { usage } from "../command-error.ts";
import { resolvePlace } from "./resolve.ts";

/** The options that say where an item goes among those of its folder. */
export interface PlaceOptions {
  readonly first?: boolean;
  readonly last?: boolean;
  readonly before?: string;
  readonly after?: string;
}

/** The `place` of a request; undefined if no option gives one. */
export async function placeAmong(client: Client, { first, last, before, after }: PlaceOptions) {
  const given = [first, last, before, after].filter((option) => option !== undefined);
  if (given.length === 0) return undefined;
  if (given.length > 1) throw usage("Only one of --first, --last, --before and --after can be given.");
  if (first) return { first };
  if (last) return { last };
  const place = await resolvePlace(client, before ?? after ?? "", "document", "folder");
  const sibling =
    place.kind === "document"
      ? { type: "document" as const, id: place.id }
      : { type: "folder" as const, id: place.folder.id };
  return before === undefined ? { after: sibling } : { before: sibling };
}
