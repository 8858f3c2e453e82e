import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { apiError } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import type { Services } from "../../../services.ts";
import { changeDocument } from "../../library/documents/change-document.ts";
import { type LoadedSet, loadSet, versionIn } from "../../library/language-versions/load-set.ts";
import { recordLocalization } from "./audit.ts";
import type { CreateMode } from "./blocks/copy-blocks.ts";
import { lockSource } from "./lock-source.ts";
import { makeVersion } from "./make-version.ts";

interface Change {
  readonly loaded: LoadedSet;
  readonly locale: string;
  readonly actor: Actor;
}

export async function addVersion(
  app: Services,
  tx: Tx,
  { loaded, ...wanted }: Change & { readonly title: string | undefined; readonly mode: CreateMode },
): Promise<DocumentRow> {
  const { workspace_id, id } = loaded.set;
  const source = await lockSource(tx, workspace_id, loaded.source.id);
  const { set, versions } = await loadSet(tx, workspace_id, id);
  if (versions.some((version) => version.locale === wanted.locale))
    throw apiError("locale_exists", { locale: wanted.locale });
  return makeVersion(app, tx, { ...wanted, set, source });
}

export async function changeVersion(
  app: Services,
  tx: Tx,
  { loaded, locale, actor, ...change }: Change & Pick<Partial<DocumentRow>, "title" | "workflow_status">,
): Promise<DocumentRow> {
  const before = versionIn(loaded, locale);
  const workspaceId = before.workspace_id;
  const wanted = { title: change.title, workflowStatus: change.workflow_status };
  const after = await changeDocument(app, tx, { workspaceId, id: before.id, change: wanted, actor });
  const facts = ({ title, workflow_status }: DocumentRow) => ({ title, workflow_status });
  const entry = { action: "change_version", locale, before: facts(before), after: facts(after) } as const;
  if (JSON.stringify(entry.before) !== JSON.stringify(entry.after))
    await recordLocalization(tx, { workspaceId, sourceId: loaded.source.id, actor }, [entry]);
  return after;
}
