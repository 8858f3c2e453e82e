import { isRecord } from "@svc/document/guards";
import type { Reader, VisibleReader } from "../../../db/database.ts";
import { notFound } from "../../../errors.ts";
import type { Access, Subject } from "../../../http/access.ts";
import type { Written } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { type Id, isId, subjectOfPrefix, subjects } from "./subjects.ts";

/**
 * Refuses to repeat a kept answer about a subject that the caller no longer sees, which the request itself may not name.
 * An answer about a subject that was deleted is repeated.
 */
export async function checkReplay(
  db: VisibleReader,
  all: Reader,
  access: Access,
  caller: Caller,
  kept: Written,
): Promise<void> {
  if (!caller.rights?.hidden || typeof kept.body !== "string" || kept.status >= 300) return;
  const answer: unknown = JSON.parse(kept.body);
  if (!isRecord(answer)) return;
  for (const [subject, id] of subjectsIn(answer.data, access)) {
    const isThere = (reader: Reader) =>
      subjects[subject].find(reader, caller.workspaceId, id).then((base) => base !== undefined);
    if (!(await isThere(db)) && (await isThere(all))) throw notFound(subject, id);
  }
}

/** The subjects that the fields of an answer name. Fields that only refer to something are left out. */
const subjectOfField: Readonly<Record<string, Subject>> = {
  knowledge_base_id: "knowledge_base",
  folder_id: "folder",
  parent_id: "folder",
  document_id: "document",
  source_document_id: "document",
  target_document_id: "document",
  concept_id: "concept",
  source_concept_id: "concept",
  document_set_id: "document_set",
};

/** The subjects of an answer, named by its own fields and by those of the objects directly in it. */
function subjectsIn(data: unknown, access: Access): [Subject, Id][] {
  const objects = [data].flat().filter(isRecord);
  const inner = objects.flatMap((object) => Object.values(object).flat()).filter(isRecord);
  const named = (subject: Subject | undefined, id: unknown): [Subject, Id][] =>
    subject !== undefined && isId(id) ? [[subject, id]] : [];
  return [
    ...objects.flatMap(({ id }) => named(subjectOfId(id, access), id)),
    ...[...objects, ...inner].flatMap((object) =>
      Object.entries(object).flatMap(([field, id]) => named(subjectOfField[field], id)),
    ),
  ];
}

/** The ids of folders and knowledge bases are numbers, so the subject of the route says which of them a number is. */
function subjectOfId(id: unknown, { subject }: Access): Subject | undefined {
  if (typeof id === "string") return subjectOfPrefix[id.slice(0, id.indexOf("_"))];
  return subject === "workspace" ? undefined : subject;
}
