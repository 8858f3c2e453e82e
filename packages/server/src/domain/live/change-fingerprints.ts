import type { Reader } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import { statement } from "../../db/statement/statement.ts";

interface Documents {
  readonly workspaceId: string;
  readonly ids: readonly string[];
}

interface Head {
  readonly document_id: string;
  readonly epoch: string;
  readonly last_seq: number;
  readonly folded_seq: number;
  readonly folded_version: string;
  readonly version: string;
}

const selectHeads = statement<Documents, Head>(
  (db, value) =>
    db
      .selectFrom("live_documents as l")
      .innerJoin("bodies as b", (join) =>
        join.onRef("b.workspace_id", "=", "l.workspace_id").onRef("b.document_id", "=", "l.document_id"),
      )
      .select(["l.document_id", "l.epoch", "l.last_seq", "l.folded_seq", "l.folded_version", "b.version"])
      .where("l.workspace_id", "=", value("workspaceId"))
      .where("l.document_id", "in", value("ids")),
  { list: "ids" },
);

/** Each rises whenever people report their position. */
const selectPeople = statement<Documents, { readonly document_id: string; readonly expires_at: number }>(
  (db, value) =>
    db
      .selectFrom("live_people")
      .select(["document_id", "expires_at"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "in", value("ids"))
      .orderBy("connection"),
  { list: "ids" },
);

type Fingerprints = ReadonlyMap<string, string>;

/** Reads all documents at once, because any commit of another process may concern any of them. */
async function read<Row extends { readonly document_id: string }>(
  keys: readonly DocumentKey[],
  select: (of: Documents) => Promise<readonly Row[]>,
): Promise<Fingerprints> {
  const fingerprints = new Map<string, string>();
  for (const [workspaceId, of] of Map.groupBy(keys, (key) => key.workspaceId))
    for (const { document_id, ...row } of await select({ workspaceId, ids: of.map(({ documentId }) => documentId) }))
      fingerprints.set(document_id, `${fingerprints.get(document_id) ?? ""}${Object.values(row).join(" ")};`);
  return fingerprints;
}

/** Fingerprints that change with new rows, folds or changes by other writers. */
export const readHeadFingerprints = (db: Reader, keys: readonly DocumentKey[]): Promise<Fingerprints> =>
  read(keys, (of) => selectHeads(db, of));

/** Fingerprints that change when somebody joins, leaves or moves. */
export const readPeopleFingerprints = (db: Reader, keys: readonly DocumentKey[]): Promise<Fingerprints> =>
  read(keys, (of) => selectPeople(db, of));
