import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { DocumentSetRow } from "../../../db/schema/tables/localization.ts";
import { apiError } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import { newId } from "../../../ids.ts";
import type { Rights } from "../../../rights/rights.ts";
import type { Services } from "../../../services.ts";
import { noVariant } from "../../library/documents/no-variant.ts";
import { lockDocument, updateDocument } from "../../library/documents/queries.ts";
import { type LoadedSet, loadSet } from "../../library/language-versions/load-set.ts";
import { recordLocalization } from "./audit.ts";
import type { CreateMode } from "./blocks/copy-blocks.ts";
import { checkTargetsGoToo } from "./check-targets.ts";
import { lockSource } from "./lock-source.ts";
import { makeVersion } from "./make-version.ts";
import { deleteSet, insertSet } from "./queries.ts";

interface Activation {
  readonly workspaceId: string;
  readonly id: string;
  readonly sourceLocale: string;
  readonly fallbackLocale: string | undefined;
  readonly targetLocales: readonly string[];
  readonly mode: CreateMode;
  readonly actor: Actor;
}

/** Makes a single-language document the source of a set, with its first target versions. */
export async function activate(app: Services, tx: Tx, input: Activation): Promise<LoadedSet> {
  const { workspaceId, id, sourceLocale, targetLocales, actor } = input;
  const before = await lockSource(tx, workspaceId, id);
  if (before.document_set_id !== null) throw apiError("already_localized", { document_set_id: before.document_set_id });
  checkDifferent([sourceLocale, ...targetLocales]);
  const set: DocumentSetRow = {
    workspace_id: workspaceId,
    id: newId("dset"),
    document_id: id,
    source_locale: sourceLocale,
    fallback_locale: input.fallbackLocale ?? sourceLocale,
    created_by: actor.userId,
    created_at: Date.now(),
  };
  await insertSet(tx, set);
  const source = await changeRole(app, tx, before, actor, {
    document_set_id: set.id,
    locale: sourceLocale,
    variant_role: "source",
    workflow_status: "published",
  });
  const after = { document_set_id: set.id, source_locale: sourceLocale, target_locales: targetLocales };
  await recordLocalization(tx, { workspaceId, sourceId: id, actor }, [
    { action: "activate", locale: sourceLocale, after },
  ]);
  for (const locale of targetLocales) await makeVersion(app, tx, { set, source, locale, mode: input.mode, actor });
  return loadSet(tx, workspaceId, set.id);
}

/** Turns the source of a set without targets back into a single-language document. */
export async function deactivate(
  app: Services,
  tx: Tx,
  { set }: LoadedSet,
  { actor, rights }: { readonly actor: Actor; readonly rights: Rights | undefined },
): Promise<DocumentRow> {
  const source = await lockDocument(tx, set.workspace_id, set.document_id);
  await checkTargetsGoToo(tx, set.workspace_id, { documentId: source.id }, rights);
  await deleteSet(tx, set.workspace_id, set.id);
  const before = { document_set_id: set.id, source_locale: set.source_locale };
  await recordLocalization(tx, { workspaceId: set.workspace_id, sourceId: source.id, actor }, [
    { action: "deactivate", locale: set.source_locale, before },
  ]);
  return changeRole(app, tx, source, actor, noVariant);
}

function checkDifferent(locales: readonly string[]): void {
  const twice = locales.find((locale, index) => locales.indexOf(locale) !== index);
  if (twice !== undefined) throw apiError("locale_exists", { locale: twice });
}

async function changeRole(
  app: Services,
  tx: Tx,
  before: DocumentRow,
  actor: Actor,
  changes: Partial<DocumentRow>,
): Promise<DocumentRow> {
  const after = await updateDocument(tx, before.workspace_id, before.id, { ...changes, updated_at: Date.now() });
  for (const view of app.views) await view.metadataChanged?.(tx, before, after, app);
  ledgerOf(tx, before.workspace_id).event("document.metadata.updated", after, actor);
  return after;
}
