import type { Reader } from "../../../db/database.ts";
import { byId } from "../../../ids.ts";
import { listWhoSee } from "../../../rights/who-sees.ts";
import { titleKey } from "../../library/documents/title-key.ts";
import { listMembers } from "./queries.ts";

interface Wanted {
  /** Part of a name; ignores case and accents. */
  readonly q: string | undefined;
  /** Only people who can see this knowledge base. */
  readonly knowledgeBaseId: number | undefined;
  /** The last entry of the previous page. */
  readonly after: string | undefined;
}

/** Number of people whose rights are loaded at a time. */
const BATCH = 20;

/** Members with an active account, by id. */
export async function listPeople(db: Reader, workspaceId: string, { q, knowledgeBaseId, after }: Wanted, size: number) {
  const part = titleKey(q ?? "");
  const people = (await listMembers(db, workspaceId))
    .filter(({ id, name, disabled_at }) => disabled_at === null && id > (after ?? "") && titleKey(name).includes(part))
    .toSorted(byId);
  if (knowledgeBaseId === undefined) return people.slice(0, size);
  const seeing: typeof people = [];
  for (let at = 0; at < people.length && seeing.length < size; at += BATCH) {
    const some = people.slice(at, at + BATCH);
    const ids = some.map(({ id }) => id);
    const shown = new Set(await listWhoSee(db, workspaceId, knowledgeBaseId, ids));
    seeing.push(...some.filter(({ id }) => shown.has(id)));
  }
  return seeing.slice(0, size);
}
