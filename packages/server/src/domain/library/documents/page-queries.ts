import { sql } from "kysely";
import type { Reader } from "../../../db/database.ts";
import { statement } from "../../../db/statement/statement.ts";
import { hasProperty, type PropertyFilter, valueKey } from "../properties/queries.ts";
import { isNoTarget } from "./queries.ts";
import type { ShownDocument } from "./represent.ts";
import { likePattern } from "./title-key.ts";

export interface DocumentFilter {
  readonly titleKey?: string | undefined;
  /** The last 8 characters of the id. */
  readonly idEnds?: string | undefined;
  readonly knowledgeBaseId?: number | undefined;
  readonly folderId?: number | undefined;
  readonly updatedSince?: number | undefined;
  readonly isTemplate?: boolean | undefined;
  readonly locale?: string | undefined;
  readonly includeVariants: boolean;
  readonly properties?: readonly PropertyFilter[];
}

type Order = "id" | "updated_at";

/** Parameters of the page query; which of them are set determines its shape. */
interface PageValues extends Omit<DocumentFilter, "titleKey" | "isTemplate" | "includeVariants" | "properties"> {
  readonly workspaceId: string;
  readonly titlePattern?: string | undefined;
  readonly templates?: number | undefined;
  readonly afterTime?: number | undefined;
  readonly afterId?: string | undefined;
  readonly limit: number;
  /** Name and value key of each requested property, by its index in the filter. */
  readonly [slot: `property${number}${"name" | "key"}`]: string;
}

const optionalValues = [
  "idEnds",
  "titlePattern",
  "knowledgeBaseId",
  "folderId",
  "updatedSince",
  "templates",
  "locale",
  "afterTime",
  "afterId",
] as const;

type PageQuery = (db: Reader, values: PageValues) => Promise<readonly ShownDocument[]>;
const pageQueries = new Map<string, PageQuery>();

const shownColumns = [
  "workspace_id",
  "id",
  "knowledge_base_id",
  "folder_id",
  "title",
  "file_name",
  "document_type",
  "heading_numbered",
  "background_color",
  "collapsed_block_ids",
  "is_template",
  "version",
  "character_count",
  "block_count",
  "created_at",
  "updated_at",
  "document_set_id",
  "locale",
  "variant_role",
  "workflow_status",
  "translated_from_document_id",
  "translated_from_version",
  "properties",
] as const satisfies readonly (keyof ShownDocument)[];

/** A page ordered by id, or by newest change first. `after` is the key of the last row seen. */
export function listDocuments(
  db: Reader,
  workspaceId: string,
  { titleKey, isTemplate, includeVariants, properties = [], ...filter }: DocumentFilter,
  order: Order,
  after: readonly (string | number)[],
  limit: number,
): Promise<readonly ShownDocument[]> {
  const [time, id] = order === "id" ? [undefined, after[0]] : after;
  const values: PageValues = {
    ...filter,
    workspaceId,
    titlePattern: titleKey === undefined ? undefined : likePattern(titleKey),
    templates: isTemplate === undefined ? undefined : Number(isTemplate),
    afterTime: time === undefined ? undefined : Number(time),
    afterId: id === undefined ? undefined : String(id),
    limit,
    ...Object.fromEntries(
      properties.flatMap(([name, value], i) => [
        [`property${i}name`, name],
        [`property${i}key`, valueKey(value)],
      ]),
    ),
  };
  const isSorted = db.filterByVisibleIds === true && filter.knowledgeBaseId === undefined;
  const shape = `${order} ${isSorted} ${includeVariants} ${properties.length} ${optionalValues.map((name) => (values[name] === undefined ? 0 : 1))}`;
  const query =
    pageQueries.get(shape) ?? pageQuery(values, { order, isSorted, includeVariants, properties: properties.length });
  pageQueries.set(shape, query);
  return query(db, values);
}

interface Shape {
  readonly order: Order;
  /** Whether few matching rows are found and sorted, instead of scanning many in the order of an index. */
  readonly isSorted: boolean;
  readonly includeVariants: boolean;
  readonly properties: number;
}

/** Same value, as an expression that no index can order. */
const sorted = (column: "id" | "updated_at") => (column === "id" ? sql<string>`id || ''` : sql<number>`updated_at + 0`);

function pageQuery(given: PageValues, { order, isSorted, includeVariants, properties }: Shape): PageQuery {
  const by = (column: "id" | "updated_at") => (isSorted ? sorted(column) : column);
  return statement<PageValues, ShownDocument>(
    (db, value) => {
      let rows = db.selectFrom("documents").select(shownColumns).where("workspace_id", "=", value("workspaceId"));
      if (given.knowledgeBaseId !== undefined) rows = rows.where("knowledge_base_id", "=", value("knowledgeBaseId")!);
      if (given.idEnds !== undefined) rows = rows.where(sql<boolean>`substr(id, 23) = ${value("idEnds")}`);
      if (given.folderId !== undefined) rows = rows.where("folder_id", "=", value("folderId")!);
      if (given.updatedSince !== undefined) rows = rows.where("updated_at", ">=", value("updatedSince")!);
      if (given.templates !== undefined) rows = rows.where("is_template", "=", value("templates")!);
      if (given.titlePattern !== undefined)
        rows = rows.where(sql<boolean>`title_key like ${value("titlePattern")} escape '\\'`);
      if (given.locale !== undefined) rows = rows.where("locale", "=", value("locale")!);
      else if (!includeVariants) rows = rows.where(isNoTarget);
      for (let i = 0; i < properties; i++)
        rows = rows.where(hasProperty(value(`property${i}name`), value(`property${i}key`), "documents") as never);
      const limit = value("limit");
      if (order === "id") {
        if (given.afterId !== undefined) rows = rows.where("id", ">", value("afterId")!);
        return rows.orderBy(by("id")).limit(limit);
      }
      if (given.afterId !== undefined)
        rows = rows.where((eb) =>
          eb.or([
            eb("updated_at", "<", value("afterTime")!),
            eb.and([eb("updated_at", "=", value("afterTime")!), eb("id", "<", value("afterId")!)]),
          ]),
        );
      return rows.orderBy(by("updated_at"), "desc").orderBy(by("id"), "desc").limit(limit);
    },
    { sharing: "shared" },
  );
}
