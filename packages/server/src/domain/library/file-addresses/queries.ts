import { attachmentIdOf, attachmentUrl } from "@svc/document/markdown/attachment-url";
import type { Reader, Tx } from "../../../db/database.ts";

/** How the source file writes each address, by the address in the document's Markdown. */
export type FileAddresses = Readonly<Record<string, string>>;

interface Key {
  readonly workspaceId: string;
  readonly documentId: string;
}

/** As JSON; `{}` if nothing is known. */
export async function readFileAddresses(db: Reader, { workspaceId, documentId }: Key): Promise<string> {
  const row = await db
    .selectFrom("file_addresses")
    .select("addresses")
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .executeTakeFirst();
  return row?.addresses ?? "{}";
}

export async function putFileAddresses(tx: Tx, key: Key, given: FileAddresses): Promise<void> {
  const addresses = JSON.stringify(given);
  if (addresses === "{}") {
    await tx
      .deleteFrom("file_addresses")
      .where("workspace_id", "=", key.workspaceId)
      .where("document_id", "=", key.documentId)
      .execute();
    return;
  }
  await tx
    .insertInto("file_addresses")
    .values({ workspace_id: key.workspaceId, document_id: key.documentId, addresses })
    .onConflict((conflict) => conflict.columns(["workspace_id", "document_id"]).doUpdateSet({ addresses }))
    .execute();
}

interface Copying {
  readonly workspaceId: string;
  readonly from: string;
  readonly to: string;
  /** Id of each attachment → id of its copy. */
  readonly attachmentIds: ReadonlyMap<string, string>;
}

/** Copies the original's file addresses to a copy of the document, keyed by the addresses of the copied attachments. */
export async function copyFileAddresses(tx: Tx, { workspaceId, from, to, attachmentIds }: Copying): Promise<void> {
  const known: FileAddresses = JSON.parse(await readFileAddresses(tx, { workspaceId, documentId: from }));
  const entries = Object.entries(known).map(([there, said]): [string, string] => {
    const copy = attachmentIds.get(attachmentIdOf(there) ?? "");
    return [copy === undefined ? there : attachmentUrl(copy), said];
  });
  if (entries.length > 0) await putFileAddresses(tx, { workspaceId, documentId: to }, Object.fromEntries(entries));
}
