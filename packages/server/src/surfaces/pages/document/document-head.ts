import { isPageIcon } from "@svc/web/shared/page-icon";
import { countOpen } from "../../../domain/content/proposals/queries.ts";
import { getDocument } from "../../../domain/library/documents/queries.ts";
import { readPath } from "../../../domain/library/documents/read-path.ts";
import { getFolder } from "../../../domain/library/folders/queries.ts";
import { mayDiscuss } from "../../../domain/library/knowledge-bases/may-discuss.ts";
import { listPersonal } from "../../../domain/library/personal/queries.ts";
import { readWatch } from "../discussion/watch.ts";
import { foldersTo } from "../library/folder-steps.ts";
import { canWriteIn, holderOf, type MemberVisit } from "../visit.ts";
import { readLastAuthor } from "./about.ts";

const MAX_FAVOURITES = 100;

/** A document's display options, from its properties. */
const lookOf = ({ icon, full_width, hide_subpages }: Record<string, unknown>) => ({
  hidesSubpages: hide_subpages === true,
  icon: typeof icon === "string" && isPageIcon(icon) ? icon : "",
  isWide: full_width === true,
});

/** The part that every page about a document shows above its own content. */
export async function documentHead(visit: MemberVisit) {
  const db = visit.app.database.read;
  const row = await getDocument(db, visit.viewer.workspace.id, visit.params.id ?? "");
  const person = { workspace_id: row.workspace_id, user_id: visit.viewer.userId };
  const [path, favourites, updatedBy, openSuggestions, maySuggest, watch] = await Promise.all([
    readPath(db, row),
    listPersonal(db, person, "favourite_at", MAX_FAVOURITES),
    readLastAuthor(visit, row.updated_by),
    countOpen(db, row.workspace_id, row.id),
    mayDiscuss(db, holderOf(visit), row.knowledge_base_id),
    readWatch(visit, { kind: "document", id: row.id }),
  ]);
  return {
    id: row.id,
    title: row.title,
    type: row.document_type,
    locale: row.locale,
    updatedAt: row.updated_at,
    updatedBy,
    isTemplate: row.is_template === 1,
    isNumbered: row.heading_numbered === 1,
    ...lookOf(JSON.parse(row.properties)),
    collapsed: row.collapsed_block_ids,
    background: row.background_color ?? "",
    characters: row.character_count,
    knowledgeBase: path.knowledge_base,
    folders: row.folder_id === null ? [] : await foldersTo(db, await getFolder(db, row.workspace_id, row.folder_id)),
    isTranslation: row.variant_role === "target",
    canWrite: canWriteIn(visit, row.knowledge_base_id),
    openSuggestions,
    maySuggest,
    watch,
    isFavourite: favourites.some(({ document_id }) => document_id === row.id),
  };
}
