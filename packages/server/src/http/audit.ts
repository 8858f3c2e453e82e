import type { Tx } from "../db/database.ts";
import type { AuditRow } from "../db/schema/tables/accounts.ts";
import { statement } from "../db/statement/statement.ts";
import type { Caller, Client } from "./callers/caller.ts";

/** A change to record. */
interface Done {
  readonly action: string;
  readonly status: number;
  /** A description with the current names, for changes whose path and action do not say enough. */
  readonly summary?: string;
  /** The id of a created object, which it has only now. */
  readonly createdId?: string | number | undefined;
}

/** Writes one audit row about a change, in the change's transaction. */
export async function recordAudit(
  tx: Tx,
  caller: Pick<Caller, "workspaceId" | "userId"> & { readonly tokenId: string | null },
  request: { readonly id: string; readonly path: string; readonly client: Client },
  { action, status, summary, createdId }: Done,
): Promise<void> {
  await insertAudit.enqueue(tx, {
    workspace_id: caller.workspaceId,
    created_at: Date.now(),
    user_id: caller.userId,
    token_id: caller.tokenId,
    client_name: request.client.name,
    client_version: request.client.version,
    agent: request.client.agent ? 1 : 0,
    action,
    path: request.path,
    status,
    request_id: request.id,
    summary: summary ?? null,
    created_id: createdId === undefined ? null : String(createdId),
  });
}

const insertAudit = statement<Omit<AuditRow, "id">, unknown>((db, value) =>
  db.insertInto("audit_log").values({
    workspace_id: value("workspace_id"),
    created_at: value("created_at"),
    user_id: value("user_id"),
    token_id: value("token_id"),
    client_name: value("client_name"),
    client_version: value("client_version"),
    agent: value("agent"),
    action: value("action"),
    path: value("path"),
    status: value("status"),
    request_id: value("request_id"),
    summary: value("summary"),
    created_id: value("created_id"),
  }),
);
