import { type Person, readCaret } from "@svc/live/frames";
import type { Reader, Tx } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import { statement } from "../../db/statement/statement.ts";
import { liveTopic } from "./queries.ts";

/** An editor whose row was not refreshed for this long is gone, because its process died. */
const EXPIRES_MS = 45_000;
export const RENEW_PEOPLE_MS = 15_000;

interface Presence {
  readonly connection: string;
  readonly userId: string;
  readonly place: string;
  readonly since: number;
}

/** Records that a person is present and where. Skips deleted documents, because the row would outlive them. */
export async function putPerson(
  tx: Tx,
  key: DocumentKey,
  { connection, userId, place, since }: Presence,
): Promise<void> {
  if (!(await tx.lock("document", key.workspaceId, key.documentId, "keep"))) return;
  const expires_at = Date.now() + EXPIRES_MS;
  await tx
    .insertInto("live_people")
    .values({
      workspace_id: key.workspaceId,
      document_id: key.documentId,
      connection,
      user_id: userId,
      place,
      since,
      expires_at,
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "document_id", "connection"]).doUpdateSet({ place, expires_at }),
    )
    .execute();
  tx.announce(liveTopic(key.documentId));
}

export async function removePeople(tx: Tx, key: DocumentKey, connections: readonly string[]): Promise<void> {
  await tx
    .deleteFrom("live_people")
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .where("connection", "in", connections)
    .execute();
  tx.announce(liveTopic(key.documentId));
}

interface PresentRow {
  readonly connection: string;
  readonly user_id: string;
  readonly name: string;
  readonly place: string;
  readonly since: number;
}

const selectPresent = statement<DocumentKey & { readonly now: number }, PresentRow>((db, value) =>
  db
    .selectFrom("live_people as p")
    .innerJoin("users as u", "u.id", "p.user_id")
    .select(["p.connection", "p.user_id", "u.name", "p.place", "p.since"])
    .where("p.workspace_id", "=", value("workspaceId"))
    .where("p.document_id", "=", value("documentId"))
    .where("p.expires_at", ">", value("now"))
    .orderBy("p.since")
    .orderBy("p.connection"),
);

const listPresent = (db: Reader, { workspaceId, documentId }: DocumentKey) =>
  selectPresent(db, { workspaceId, documentId, now: Date.now() });

/** Everybody who has the document open, in every process. */
export async function listPeople(db: Reader, key: DocumentKey): Promise<Person[]> {
  const rows = await listPresent(db, key);
  return rows.map(({ connection, user_id, name, place }) => ({ connection, user_id, name, place: caretFrom(place) }));
}

/** Same, grouped by person for the API: each once, with the time of arrival. */
export async function listEditors(db: Reader, key: DocumentKey) {
  const editors = new Map<string, { user: { id: string; name: string }; since: number; block_id: string | null }>();
  for (const { user_id: id, name, since, place } of await listPresent(db, key)) {
    const known = editors.get(id);
    const block_id = caretFrom(place)?.block_id ?? known?.block_id ?? null;
    editors.set(id, { user: { id, name }, since: known?.since ?? since, block_id });
  }
  return [...editors.values()];
}

export const caretFrom = (text: string) => {
  try {
    return text === "" ? null : readCaret(JSON.parse(text));
  } catch {
    return null;
  }
};

/** The notice that a fold sends to the editors with its row. */
export const noticeFrom = (text: string): string | undefined => {
  if (!text.startsWith('{"notice"')) return undefined;
  return JSON.parse(text).notice;
};
