import { Type } from "typebox";
import type { JobRow } from "../../../db/schema/tables/jobs.ts";
import { accepted, ok } from "../../../http/answer.ts";
import { post, type Route, read } from "../../../http/route.ts";
import { integerId, name, named, nullable, object, oneOf, plainText, time } from "../../../http/schemas.ts";
import { getJob } from "../../../jobs/queries.ts";
import { IMPORT_FORMATS, type ImportFormat } from "./import-format.ts";
import { IMPORT_KIND } from "./import-job.ts";
import { receiveArchive, startImport } from "./receive-archive.ts";

const tag = "Knowledge bases";

const ImportJob = named(
  "ImportJob",
  object({
    id: Type.String(),
    status: oneOf(["pending", "running", "succeeded", "failed", "obsolete"]),
    progress: object({ documents_total: nullable(Type.Integer()), documents_done: Type.Integer() }),
    knowledge_base_id: nullable(integerId()),
    format: nullable(oneOf(IMPORT_FORMATS)),
    folders: nullable(Type.Integer()),
    documents: nullable(Type.Integer()),
    attachments: nullable(Type.Integer()),
    relations: nullable(Type.Integer({ description: "Stated ones." })),
    concepts: nullable(Type.Integer()),
    links_resolved: nullable(Type.Integer({ description: "Links between files that lead to a document or file now." })),
    links_unresolved: nullable(Type.Integer({ description: "Links between files that lead nowhere." })),
    warnings: Type.Array(Type.String({ description: "What could not be carried over, and where." })),
    error: nullable(object({ code: Type.String(), message: Type.String() })),
    created_at: time(),
    finished_at: nullable(time()),
  }),
);

const example = {
  id: "ijob_01K9ZQ4T6N4Y3V7J8W2M5R1XCR",
  status: "succeeded",
  progress: { documents_total: 12, documents_done: 12 },
  knowledge_base_id: 8,
  format: "notion",
  folders: 3,
  documents: 12,
  attachments: 4,
  relations: 2,
  concepts: 5,
  links_resolved: 31,
  links_unresolved: 0,
  warnings: [],
  error: null,
  created_at: 1794700000000,
  finished_at: 1794700004000,
};

function jobOf(row: JobRow) {
  const progress: { documents_total?: number; documents_done?: number } = JSON.parse(row.progress);
  const result: Record<string, number | undefined> & { format?: ImportFormat; warnings?: string[] } = JSON.parse(
    row.result ?? "{}",
  );
  return {
    id: row.id,
    status: row.status,
    progress: { documents_total: progress.documents_total ?? null, documents_done: progress.documents_done ?? 0 },
    knowledge_base_id: result.knowledge_base_id ?? null,
    format: result.format ?? null,
    folders: result.folders ?? null,
    documents: result.documents ?? null,
    attachments: result.attachments ?? null,
    relations: result.relations ?? null,
    concepts: result.concepts ?? null,
    links_resolved: result.links_resolved ?? null,
    links_unresolved: result.links_unresolved ?? null,
    warnings: result.warnings ?? [],
    error: row.error === null ? null : JSON.parse(row.error),
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

export const importRoutes: Route[] = [
  post({
    operation: "import_knowledge_base",
    path: "/knowledge-bases/import",
    tag,
    summary: "Make a knowledge base from a ZIP archive, in the background.",
    description:
      "`multipart/form-data` with the part `file` and optionally `name`. Takes what the export writes (the same tree, bodies, attachments, stated relations and, for a token with `concepts:write`, concepts; everything gets a new id, links between them follow), a folder of Markdown files, an Obsidian vault, a Notion export (Markdown and CSV, or HTML), an HTML export of a Confluence space, or Markdown, HTML or Word files (`.md`, `.html`, `.docx`), alone or in a folder. The format is detected from the content and reported as `format` by the job, whose `warnings` list what was lost. The import is all or nothing.",
    scopes: ["knowledge-bases:write", "documents:write", "attachments:write"],
    access: { action: "create", subject: "knowledge_base" },
    errors: ["quota_exceeded"],
    multipart: true,
    body: object({
      file: Type.Unsafe<string>({
        type: "string",
        "x-described": { type: "string", contentMediaType: "application/zip" },
      }),
      name: Type.Optional(name("Instead of the archive's own.")),
    }),
    bodyExample: { file: "…bytes…", name: "Handbook" },
    success: { status: 202, description: "The job; ask for it until it has ended.", data: ImportJob, example },
    prepare: ({ app, parts, afterwards }) => receiveArchive(app, parts(), afterwards),
    fingerprint: ({ payload, sha256 }) => JSON.stringify([payload.fileName, payload.name, sha256]),
    handler: async ({ app, caller, tx, prepared }) => accepted(jobOf(await startImport(app, tx, prepared, caller))),
  }),
  read({
    operation: "get_import_job",
    path: "/import-jobs/{id}",
    tag,
    summary: "How far an import is, and how it ended.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "import_job" },
    params: Type.Object({ id: plainText(64, "ijob_<ULID>") }),
    success: { status: 200, description: "The job.", data: ImportJob, example },
    handler: async ({ caller, db, params }) => ok(jobOf(await getJob(db, caller.workspaceId, params.id, IMPORT_KIND))),
  }),
];
