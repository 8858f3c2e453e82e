import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { apiError, invalidRequest } from "../../errors.ts";
import type { Actor } from "../../events/actor.ts";
import type { Rights } from "../../rights/rights.ts";
import type { Services } from "../../services.ts";
import { recordLocalization } from "../localization/audit.ts";
import { type LoadedSet, targetsOf, versionIn } from "../localization/load-set.ts";
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
    const targets = targetsOf(loaded);
    if (targets.length === 0) throw invalidRequest("params.locale", "is the source: deactivate the set instead");
    throw apiError("localization_has_targets", { locales: targets.map((target) => target.locale) });
  }
  const workspaceId = version.workspace_id;
  await deleteDocument(app, tx, { workspaceId, id: version.id, actor, rights });
  const before = { document_id: version.id, title: version.title };
  await recordLocalization(tx, { workspaceId, sourceId: loaded.source.id, actor }, [
    { action: "delete_version", locale, before },
  ]);
  return version;
}
