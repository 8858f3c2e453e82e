import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as others, setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Node } from "@svc/document/types";
import { parseQuery, type Query } from "@svc/search/query/query";
import { type App, makeApp } from "@svc/server/app";
import { changeBody } from "@svc/server/bodies/change-body";
import { readConfig } from "@svc/server/config";
import type { Tx } from "@svc/server/db/database";
import { ledgerOf } from "@svc/server/events/ledger";
import { newBlockId } from "@svc/server/ids";
import { createUser } from "@svc/server/resources/accounts/create-user";
import { createDocument } from "@svc/server/resources/documents/create-document";
import { insertKnowledgeBase } from "@svc/server/resources/knowledge-bases/queries";
import { createToken } from "@svc/server/resources/tokens/create-token";
import type { Services } from "@svc/server/services";
import { requestReindex } from "@svc/server/views/search/background/reindex";
import { search } from "@svc/server/views/search/search";
import { blocksPerDocument, blockText } from "./corpus.ts";

const actor = { userId: "user_bench", tokenId: "tok_bench", client: { name: "bench", version: null, agent: false } };
const paragraph = (text: string): Node => ({
  type: "paragraph",
  attrs: { id: newBlockId() },
  content: [{ type: "text", text }],
});

/** Knowledge bases of a workspace, each with a folder that every second of its documents is in. */
const places = 20;

interface Place {
  readonly knowledgeBaseId: number;
  readonly folderId: number;
}

/** One workspace of a store, used as requests would, past HTTP. */
export class BenchWorkspace {
  readonly services: Services;
  readonly userId: string;
  readonly workspaceId: string;
  readonly places: readonly Place[];
  readonly documentIds: string[] = [];

  constructor(services: Services, userId: string, workspaceId: string, places: readonly Place[]) {
    this.services = services;
    this.userId = userId;
    this.workspaceId = workspaceId;
    this.places = places;
  }

  static async create(services: Services, email: string): Promise<BenchWorkspace> {
    return services.database.transaction(async (tx) => {
      const { userId, workspaceId } = await createUser(tx, { email, name: email, passwordHash: "unused" });
      const times = { created_at: Date.now(), updated_at: Date.now() };
      const made: Place[] = [];
      for (let i = 0; i < places; i++) {
        const base = await insertKnowledgeBase(tx, {
          workspace_id: workspaceId,
          confirm_id: `kb_${i}`,
          name: `B${i}`,
          ...times,
        });
        const folder = await tx
          .insertInto("folders")
          .values({
            workspace_id: workspaceId,
            knowledge_base_id: base.id,
            parent_id: null,
            name: "F",
            ...times,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        made.push({ knowledgeBaseId: base.id, folderId: folder.id });
      }
      return new BenchWorkspace(services, userId, workspaceId, made);
    });
  }

  static async find(services: Services, email: string): Promise<BenchWorkspace> {
    const { read } = services.database;
    const user = await read.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
    const member = await read
      .selectFrom("memberships")
      .selectAll()
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    const folders = await read
      .selectFrom("folders")
      .select(["id", "knowledge_base_id"])
      .where("workspace_id", "=", member.workspace_id)
      .orderBy("id")
      .execute();
    const found = folders.map((row) => ({ folderId: row.id, knowledgeBaseId: row.knowledge_base_id }));
    const workspace = new BenchWorkspace(services, user.id, member.workspace_id, found);
    const documents = await read
      .selectFrom("documents")
      .select("id")
      .where("workspace_id", "=", member.workspace_id)
      .orderBy("id")
      .execute();
    workspace.documentIds.push(...documents.map((row) => row.id));
    return workspace;
  }

  async create(texts: readonly string[]): Promise<string> {
    return defined((await this.createAll([texts]))[0]);
  }

  /** Documents of these texts in one transaction. */
  async createAll(all: readonly (readonly string[])[]): Promise<string[]> {
    const ids = await this.services.database.transaction(async (tx) => {
      const made: string[] = [];
      for (const texts of all) made.push(await this.#createIn(tx, texts, this.documentIds.length + made.length));
      return made;
    });
    this.documentIds.push(...ids);
    return ids;
  }

  /** The next place in turn; every tenth document is of locale `de`. */
  async #createIn(tx: Tx, texts: readonly string[], i: number): Promise<string> {
    const { services, workspaceId } = this;
    const { knowledgeBaseId, folderId } = defined(this.places[i % this.places.length]);
    const input = { workspaceId, title: "Title", knowledgeBaseId, folderId: i % 2 ? folderId : null };
    const variant = i % 10 === 0 ? { locale: "de", variant_role: "source" as const } : {};
    const blocks = texts.map(paragraph);
    const { id } = await createDocument(services, tx, { ...input, blocks, actor, variant });
    return id;
  }

  append(documentId: string): Promise<void> {
    return this.#edit(documentId, (blocks) => [...blocks, paragraph(blockText())]);
  }

  /** New text for every `step`-th block. */
  rewrite(documentId: string, step: number): Promise<void> {
    return this.#edit(documentId, (blocks) => blocks.map((block, i) => (i % step ? block : paragraph(blockText()))));
  }

  async #edit(documentId: string, change: (blocks: readonly Node[]) => readonly Node[]): Promise<void> {
    const { services, workspaceId } = this;
    const edit = ({ blocks }: { blocks: readonly Node[] }) => change(blocks);
    const write = { key: { workspaceId, documentId }, reason: "content", actor, expected: undefined, edit } as const;
    await services.database.transaction((tx) => changeBody(services, tx, write));
  }

  /** Makes every eighth document a translation. */
  async translate(): Promise<void> {
    const ids = this.documentIds.filter((_, i) => i % 8 === 1);
    await this.services.database.transaction(async (tx) => {
      for (const id of ids) {
        const row = await tx
          .updateTable("documents")
          .set({ locale: "fr", variant_role: "target" })
          .where("workspace_id", "=", this.workspaceId)
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        ledgerOf(tx, this.workspaceId).event("document.metadata.updated", row, actor);
      }
    });
  }

  async token(): Promise<string> {
    const { userId, workspaceId } = this;
    const wanted = { userId, workspaceId, name: "bench", access: "read_write" as const };
    const made = await this.services.database.transaction((tx) =>
      createToken(tx, { ...wanted, scopes: undefined, expiresAt: undefined }),
    );
    return made.token;
  }

  async fill(texts: readonly string[], written: (work: () => Promise<unknown>) => Promise<unknown>): Promise<void> {
    for (let i = 0; i < texts.length; i += blocksPerDocument) {
      const some = texts.slice(i, i + blocksPerDocument);
      await written(() => this.create(some));
      await others();
    }
  }

  /** Has the index built anew from the bodies, in the background. */
  async reindex(): Promise<void> {
    await this.services.database.transaction((tx) => requestReindex(tx, this.workspaceId));
    this.services.wakeView("search");
    await this.settle();
  }

  /** Until nothing is left to be done in the background. */
  async settle(): Promise<void> {
    for (;;) {
      const counters = await this.services.database.read.selectFrom("search_counters").selectAll().execute();
      const leases = await this.services.database.read.selectFrom("leases").selectAll().execute();
      const isQuiet = counters.every(({ level_zero, backlog }) => level_zero < 16 && backlog === 0);
      if (isQuiet && leases.length === 0) return;
      await sleep(50);
    }
  }

  /** In the index. */
  async blocks(): Promise<number> {
    const { read } = this.services.database;
    const rows = read.selectFrom("search_counters").select("blocks").where("workspace_id", "=", this.workspaceId);
    return (await rows.executeTakeFirstOrThrow()).blocks;
  }

  async segments(): Promise<number> {
    const rows = await this.services.database.read
      .selectFrom("search_segments")
      .select("id")
      .where("workspace_id", "=", this.workspaceId)
      .where("state", "=", "live")
      .execute();
    return rows.length;
  }

  /** The whole answer. */
  answer = (q: string, more: object = {}) => search(this.services, this.workspaceId, { q, limit: 10, ...more });
}

export const isQuery = (text: string): boolean => !("error" in parseQuery(text));

export function queryOf(text: string): Query {
  const query = parseQuery(text);
  if ("error" in query) throw new Error(`This is no query: ${text}`);
  return query;
}

export interface BenchStore {
  readonly app: App;
  /** What was there already need not be built. */
  readonly isBuilt: boolean;
  close(): Promise<void>;
}

/**
 * A store of its own. With SVC_BENCH_KEEP it is kept in that directory, and the next run with as many blocks finds it
 * there; with a URL it is that PostgreSQL database.
 */
export async function openStore(count: number, url = process.env.SVC_DATABASE_URL): Promise<BenchStore> {
  const keep = process.env.SVC_BENCH_KEEP;
  const directory = keep ? join(keep, String(count)) : mkdtempSync(join(tmpdir(), "svc-bench-"));
  mkdirSync(directory, { recursive: true });
  const isBuilt = !url && existsSync(join(directory, "built"));
  const app = await makeApp(
    readConfig({
      SVC_DATA_DIR: directory,
      SVC_LOG_LEVEL: "warn",
      SVC_MAX_DOCUMENTS: "10000000",
      ...(url && { SVC_DATABASE_URL: url }),
    }),
  );
  const close = async () => {
    await app.close();
    if (keep) mkdirSync(join(directory, "built"), { recursive: true });
    else rmSync(directory, { recursive: true, force: true });
  };
  return { app, isBuilt, close };
}
