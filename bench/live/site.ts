import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { LiveSession } from "@svc/live/session";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { startSession } from "@svc/server/domain/identity/sessions/start-session";
import WebSocket from "ws";
import { openEditor, type Seat } from "../../packages/server/test/support/live-editor.ts";
import { Api } from "../harness/api.ts";
import { bareServer, type Running, SVC_SERVER, startServer } from "../harness/processes.ts";
import { type DatabaseKind, makeStore } from "../harness/store.ts";

/** Sockets that one session may have. */
const OF_SESSION = 20;

/** Two server processes on one store, and the bare relay beside them. */
export interface LiveSite {
  readonly svc: readonly [Running, Running];
  readonly relay: Running;
  readonly api: Api;
  /** A document of so many paragraphs. */
  makeDocument(blocks: number): Promise<string>;
  /** An editor of a document on one of the processes. */
  open(documentId: string, process?: 0 | 1): Promise<LiveSession>;
  seat(documentId: string, process?: 0 | 1): Promise<Seat>;
  close(): Promise<void>;
}

export async function makeLiveSite(kind: DatabaseKind): Promise<LiveSite> {
  const store = await makeStore(kind);
  const start = () => startServer(SVC_SERVER, store.settings);
  const svc: [Running, Running] = [await start(), await start()];
  const relay = await startServer(bareServer("relay"));
  const api = new Api(svc[0].address, store.headers);
  const { id: base } = await api.data("POST", "/api/v1/knowledge-bases", { name: "Live" });
  const database = await connect(readConfig(store.settings), { warn: () => undefined });
  const { user_id: id, workspace_id } = await database.read
    .selectFrom("memberships")
    .select(["user_id", "workspace_id"])
    .executeTakeFirstOrThrow();
  const place = { userAgent: "bench", address: "127.0.0.1", maxDays: 1 };
  let cookie = "";
  let given = 0;
  const nextCookie = async () => {
    if (given++ % OF_SESSION > 0) return cookie;
    const { secret } = await database.transaction((tx) => startSession(tx, { id, name: "Ada" }, place, workspace_id));
    cookie = `svc_session=${secret}`;
    return cookie;
  };
  const seat = async (documentId: string, process: 0 | 1 = 0): Promise<Seat> => ({
    url: svc[process].address,
    cookie: await nextCookie(),
    documentId,
  });
  return {
    svc,
    relay,
    api,
    makeDocument: async (blocks) => {
      const content = Array.from({ length: blocks }, (_, i) => `Paragraph ${i} of a page that people edit.`);
      const body = { format: "markdown", content: content.join("\n\n") };
      const fields = { title: "Live", knowledge_base_id: base, content: body };
      return (await api.data("POST", "/api/v1/documents", fields)).id;
    },
    seat,
    open: async (documentId, process) => openEditor(await seat(documentId, process)),
    close: async () => {
      await database.close();
      await Promise.all([...svc, relay].map((server) => server.stop()));
      await store.remove();
    },
  };
}

/** A member of a room of the relay. */
export async function openRelay({ relay }: Pick<LiveSite, "relay">, room: string): Promise<WebSocket> {
  const socket = new WebSocket(`${relay.address.replace("http", "ws")}/${room}`);
  await new Promise((greeted) => socket.once("message", greeted));
  return socket;
}

/** Types one letter at the end of a block. */
export function typeKey({ live }: LiveSession, at: number): void {
  const block = defined(live.node(defined(live.order[at])));
  live.patch({ ...block, content: [{ type: "text", text: `${textOf(block)}x` }] });
}

export const textOf = ({ content = [] }: { content?: readonly { text?: string }[] | undefined }): string =>
  content.map(({ text = "" }) => text).join("");

/** Waits until it is so; a measurement that hangs is given up. */
export async function until(isSo: () => boolean, patienceMs = 60_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error("Waited in vain.");
    await sleep(1);
  }
}
