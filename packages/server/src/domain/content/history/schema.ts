import { hash } from "node:crypto";
import { Type } from "typebox";
import { readWriters, type Writer } from "../../../bodies/history/writer.ts";
import type { Reader } from "../../../db/database.ts";
import type { HistoryStateRow } from "../../../db/schema/tables/history.ts";
import { named, nullable, object, oneOf, time } from "../../../http/schemas.ts";

const WriterSchema = named(
  "Writer",
  object({
    user_id: Type.String(),
    name: nullable(Type.String({ description: "The person; null if the account no longer exists." })),
    agent: Type.Boolean({ description: "The program said that it acts for a language model." }),
    client: nullable(Type.String({ description: "The program that wrote for the person; null in the browser." })),
    accepted_by: nullable(
      object(
        { user_id: Type.String(), name: nullable(Type.String()) },
        { description: "The person who accepted what the writer had suggested." },
      ),
    ),
  }),
);

export const HistoryState = named(
  "HistoryState",
  object({
    id: Type.String({ description: "state_<ULID>" }),
    kind: oneOf(
      ["session", "write", "restore", "suggestion", "import"],
      "`session`: what one person typed in the browser without a pause. `write`: a write over the API.",
    ),
    version: Type.String(),
    by: Type.Array(WriterSchema, {
      description: "The people who changed the text since the state before; of a session its own person first.",
    }),
    started_at: time(),
    ended_at: time(),
    name: nullable(Type.String({ description: "A state with a name is kept for ever." })),
    byte_size: Type.Integer(),
    etag: Type.String({ description: "For `If-Match` of a change of its name." }),
  }),
);

export const BlockAuthor = named(
  "BlockAuthor",
  object({
    block_id: Type.String(),
    by: nullable(WriterSchema),
    at: nullable(time()),
    version: nullable(Type.String({ description: "The version of the body that the change made." })),
  }),
);

const exampleWriter = {
  user_id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
  name: "Ada",
  agent: true,
  client: "proofreader",
  accepted_by: null,
};
const exampleVersion = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

export const exampleState = {
  id: "state_01K9ZQ4T6N4Y3V7J8W2M5R1XCF",
  kind: "write",
  version: exampleVersion,
  by: [exampleWriter],
  started_at: 1794700000000,
  ended_at: 1794700000000,
  name: null,
  byte_size: 2048,
  etag: exampleVersion,
};

export const exampleBlockAuthor = {
  block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
  by: exampleWriter,
  at: 1794700000000,
  version: exampleVersion,
};

/** The ETag of a state: its version, and its name if it has one. */
export const stateTag = ({ version, name }: Pick<HistoryStateRow, "version" | "name">): string =>
  name === null ? version : `${version}.${hash("sha256", name, "hex").slice(0, 12)}`;

/** The names of people by id. */
type Names = ReadonlyMap<string, string>;

export async function namesOf(db: Reader, writers: readonly Writer[]): Promise<Names> {
  const ids = [...new Set(writers.flatMap((writer) => [writer.user_id, writer.accepted_by ?? writer.user_id]))];
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("users").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export const showWriter = ({ user_id, client, agent, accepted_by }: Writer, names: Names) => ({
  user_id,
  name: names.get(user_id) ?? null,
  agent,
  client,
  accepted_by: accepted_by === undefined ? null : { user_id: accepted_by, name: names.get(accepted_by) ?? null },
});

const showState = (row: HistoryStateRow, names: Names) => ({
  id: row.id,
  kind: row.kind,
  version: row.version,
  by: readWriters(row.writers).map((writer) => showWriter(writer, names)),
  started_at: row.started_at,
  ended_at: row.ended_at,
  name: row.name,
  byte_size: row.byte_size,
  etag: stateTag(row),
});

/** States with the names of their writers. */
export async function showStates(db: Reader, rows: readonly HistoryStateRow[]) {
  const names = await namesOf(
    db,
    rows.flatMap(({ writers }) => readWriters(writers)),
  );
  return rows.map((row) => showState(row, names));
}

export type ShownState = ReturnType<typeof showState>;
