import type { DocumentKey } from "../../bodies/store.ts";
import type { Reader } from "../../db/database.ts";
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

/** Each rises whenever they say where they are. */
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

type Signs = ReadonlyMap<string, string>;

/** By document, read for all at once, because any commit of another process may concern any of them. */
async function read<Row extends { readonly document_id: string }>(
  keys: readonly DocumentKey[],
  select: (of: Documents) => Promise<readonly Row[]>,
): Promise<Signs> {
  const signs = new Map<string, string>();
  for (const [workspaceId, of] of Map.groupBy(keys, (key) => key.workspaceId))
    for (const { document_id, ...row } of await select({ workspaceId, ids: of.map(({ documentId }) => documentId) }))
      signs.set(document_id, `${signs.get(document_id) ?? ""}${Object.values(row).join(" ")};`);
  return signs;
}

/** What tells whether live documents have new rows, folds or changes of other writers. */
export const readHeadSigns = (db: Reader, keys: readonly DocumentKey[]): Promise<Signs> =>
  read(keys, (of) => selectHeads(db, of));

/** What tells whether somebody came, went or moved. */
export const readPeopleSigns = (db: Reader, keys: readonly DocumentKey[]): Promise<Signs> =>
  read(keys, (of) => selectPeople(db, of));
