import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { invalidRequest } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import type { Rights } from "../../../rights/rights.ts";
import type { Services } from "../../../services.ts";
import { recordLocalization } from "../../knowledge/localization/audit.ts";
import { checkTargetsGoToo } from "../../knowledge/localization/check-targets.ts";
import { type LoadedSet, versionIn } from "../../library/language-versions/load-set.ts";
import { deleteDocument } from "./delete-document.ts";

interface Change {
  readonly loaded: LoadedSet;
  readonly locale: string;
  readonly actor: Actor;
  readonly rights: Rights | undefined;
}

export async function deleteVersion(
  app: Services,
  tx: Tx,
  { loaded, locale, actor, rights }: Change,
): Promise<DocumentRow> {
  const version = versionIn(loaded, locale);
  if (version.variant_role === "source") {
    await checkTargetsGoToo(tx, version.workspace_id, { documentId: version.id }, rights);
    throw invalidRequest("path.locale", "is the source: deactivate the set instead");
  }
  const workspaceId = version.workspace_id;
  await deleteDocument(app, tx, { workspaceId, id: version.id, actor, rights });
  const before = { document_id: version.id, title: version.title };
  await recordLocalization(tx, { workspaceId, sourceId: loaded.source.id, actor }, [
    { action: "delete_version", locale, before },
  ]);
  return version;
}
