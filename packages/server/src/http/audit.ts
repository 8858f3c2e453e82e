import type { Db } from "../db/database.ts";
import type { Caller, Client } from "./caller.ts";

/** One line of who changed what, written in the transaction of the change. */
export async function recordAudit(
  tx: Db,
  caller: Pick<Caller, "workspaceId" | "userId"> & { readonly tokenId: string | null },
  request: { readonly id: string; readonly path: string; readonly client: Client },
  action: string,
  status: number,
): Promise<void> {
  await tx
    .insertInto("audit_log")
    .values({
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
    })
    .execute();
}
