import { coverageOf } from "@svc/search/best/coverage";
import type { Hit } from "@svc/search/query/result-page";
import { borderBefore } from "@svc/search/snippet/text-border";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { documentUri } from "../../../domain/library/documents/represent.ts";
import { ApiError, notFound } from "../../../errors.ts";
import type { Services } from "../../../services.ts";
import { mergeRanked } from "../files/merge-ranked.ts";
import { filesOf } from "../files/search-with-files.ts";
import { search } from "../search.ts";
import { fulfils } from "./metadata-condition.ts";
import type { RetrievalRecord, RetrievalRequest } from "./schema.ts";

/** Candidates among which conditions choose. */
const HITS = 100;
const MAX_QUERY = 512;
const MAX_CONTENT = 4000;

/** Dify's codes for refusals; a service may choose others. */
export function errorMembers({ code, message, status }: ApiError): Record<string, unknown> {
  const known = status === 401 ? 1001 : status === 403 ? 1002 : code === "not_found" ? 2001 : status;
  return { error_code: known, error_msg: message };
}

function baseOf(knowledgeId: string): number | undefined {
  const text = knowledgeId.trim();
  if (text === "all") return undefined;
  const [, id] = /^(?:svc:\/\/kb\/)?(\d{1,15})$/.exec(text) ?? [];
  if (id === undefined) throw notFound("knowledge_base", text.slice(0, 64));
  return Number(id);
}

type Found = Omit<RetrievalRecord, "score"> & {
  readonly hit: Pick<Hit, "pinned" | "score">;
  readonly coverage: number;
};

/**
 * Finds the best passages. The best one's score is the share of the question's words that it has, weighted by rarity;
 * the others follow in the order and proportion of their ranks.
 */
export async function retrieve(
  app: Services,
  workspaceId: string,
  input: RetrievalRequest,
): Promise<RetrievalRecord[]> {
  const { query, retrieval_setting: setting, metadata_condition: condition } = input;
  const base = baseOf(input.knowledge_id);
  const q = query.slice(0, borderBefore(query, MAX_QUERY));
  const asked = { q, match: "best" as const, limit: HITS, ...(base !== undefined && { knowledge_base_id: base }) };
  const found = await findAll(app, workspaceId, asked).catch((error: unknown) => {
    // A question without a word that could be searched.
    if (error instanceof ApiError && error.status === 400) return [];
    throw error;
  });
  const kept = found.filter(({ metadata }) => fulfils(metadata, condition)).slice(0, Math.min(setting.top_k, HITS));
  const best = Math.min(1, Math.max(0, ...kept.map(({ coverage }) => coverage)));
  const top = Math.max(...kept.map(({ hit }) => hit.score));
  let score = best;
  return kept
    .map(({ hit, coverage: _, ...record }) => {
      // No record has more than the one before it.
      score = Math.min(score, top > 0 ? (best * hit.score) / top : best);
      return { ...record, score };
    })
    .filter(({ score }) => score >= (setting.score_threshold ?? 0));
}

async function findAll(app: Services, workspaceId: string, asked: Parameters<typeof search>[2]): Promise<Found[]> {
  const pages = await search(app, workspaceId, asked);
  const files = await filesOf(app, workspaceId, { ...asked, type: "file" }, undefined);
  const ids = [...new Set(pages.hits.map(({ block }) => block.document.row.id))];
  const properties = await propertiesOf(app, workspaceId, ids);
  const inPages = pages.hits
    .filter(({ block }) => block.blockId !== "")
    .map(({ hit, block, path }): Found => {
      const { id, title, version, updated_at, knowledge_base_id, document_type } = block.document.row;
      const heading_path: string[] = JSON.parse(block.headingPath);
      return {
        content: block.text.slice(0, borderBefore(block.text, MAX_CONTENT)),
        title,
        hit,
        coverage: coverageOf(pages.query, pages.result.statistics, hit),
        metadata: {
          ...properties.get(id),
          ...{
            document_id: id,
            block_id: block.blockId,
            knowledge_base_id,
            document_type,
            title,
            path,
            heading_path,
          },
          ...{ version, updated_at, uri: `${documentUri(id)}#block=${block.blockId}` },
        },
      };
    });
  const inFiles = files.hits.flatMap(({ hit, page: { file, document, page, text }, path }): Found[] => {
    if (page === null) return [];
    const metadata = {
      ...{ document_id: document.id, knowledge_base_id: document.knowledge_base_id, title: document.title, path },
      ...{ attachment_id: file.id, file_name: file.file_name, page, uri: documentUri(document.id) },
    };
    const coverage = coverageOf(files.query, files.result.statistics, hit);
    const content = text.slice(0, borderBefore(text, MAX_CONTENT));
    return [{ content, title: file.file_name, hit, coverage, metadata }];
  });
  return mergeRanked(inPages, inFiles);
}

async function propertiesOf(app: Services, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, object>();
  const rows: Pick<DocumentRow, "id" | "properties">[] = await app.database.read
    .selectFrom("documents")
    .select(["id", "properties"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  return new Map<string, object>(rows.map(({ id, properties }) => [id, JSON.parse(properties)]));
}
