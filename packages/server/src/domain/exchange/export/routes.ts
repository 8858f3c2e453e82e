import { Readable } from "node:stream";
import { Type } from "typebox";
import { safeName } from "../../../archives/safe-name.ts";
import type { Answer } from "../../../http/answer.ts";
import { type Route, read } from "../../../http/route.ts";
import { integerId } from "../../../http/schemas.ts";
import type { Services } from "../../../services.ts";
import { contentDisposition } from "../../content/attachments/file-name.ts";
import { getFolder } from "../../library/folders/queries.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { streamExport } from "./stream-export.ts";

/** The parts of the route that both exports share. */
const archive = {
  scopes: ["knowledge-bases:read", "documents:read"],
  params: Type.Object({ id: integerId() }),
  success: {
    status: 200,
    description: "The archive.",
    content: ["application/zip"],
    headers: { "Content-Disposition": "`attachment`, with a file name." },
  },
} as const;

export const exportRoutes: Route[] = [
  read({
    operation: "export_knowledge_base",
    path: "/knowledge-bases/{id}/export",
    access: { action: "read", subject: "knowledge_base" },
    tag: "Knowledge bases",
    summary: "Everything in a knowledge base as one ZIP archive.",
    description:
      "Streamed while it is made, from one state of the store. Each document is a Markdown file with front matter and anchors in its folder's path, with its exact body as `.json` beside it; attachments are in `attachments/<id>/`; every folder has an `index.md`; `manifest.json` lists all of it with checksums, the stated relations and (for a token with `concepts:read`) the concepts, and is enough to import it elsewhere. The archive is a bundle of the Open Knowledge Format 0.2.",
    ...archive,
    handler: async ({ app, caller, db, params, request }) => {
      const { name } = await getKnowledgeBase(db, caller.workspaceId, params.id);
      const withConcepts = caller.scopes.includes("concepts:read");
      const wanted = { workspaceId: caller.workspaceId, knowledgeBaseId: params.id, withConcepts };
      return archiveOf(app, name, wanted, request.method === "HEAD");
    },
  }),
  read({
    operation: "export_folder",
    path: "/folders/{id}/export",
    access: { action: "read", subject: "folder" },
    tag: "Folders",
    summary: "A folder and what is below it as one ZIP archive.",
    description:
      "Like the export of a knowledge base, with the folder at the top: imported, it is a knowledge base of the folder's name. Concepts belong to the knowledge base and stay out.",
    ...archive,
    handler: async ({ app, caller, db, params, request }) => {
      const { workspaceId } = caller;
      const folder = await getFolder(db, workspaceId, params.id);
      const about = { knowledgeBaseId: folder.knowledge_base_id, folderId: folder.id };
      return archiveOf(app, folder.name, { workspaceId, ...about, withConcepts: false }, request.method === "HEAD");
    },
  }),
];

const archiveOf = (app: Services, name: string, wanted: Wanted, isHead: boolean): Answer => ({
  headers: {
    "content-disposition": contentDisposition("attachment", `${safeName(name)}.zip`),
    "cache-control": "private, no-store",
  },
  raw: { contentType: "application/zip", body: isHead ? Readable.from([]) : streamExport(app, wanted) },
});

type Wanted = Parameters<typeof streamExport>[1];
