import { afterEach } from "node:test";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import { LiveSession, type SessionOptions } from "@svc/live/session";
import { startSession } from "@svc/server/domain/identity/sessions/start-session";
import { newBlockId } from "@svc/server/ids";
import WebSocket from "ws";
import { until } from "./until.ts";
import type { Person, World } from "./world.ts";

/** A signed-in browser's cookie. */
export const signIn = async (world: World, { userId, workspaceId }: Person): Promise<string> => {
  const { secret } = await world.app.services.database.transaction((tx) =>
    startSession(tx, { id: userId, name: "Ada" }, { userAgent: "test", address: "127.0.0.1", maxDays: 1 }, workspaceId),
  );
  return `svc_session=${secret}`;
};

export interface Seat {
  readonly url: string;
  readonly cookie: string;
  readonly documentId: string;
}

/** A raw socket as a browser's page of ours opens it. */
export const openSocket = ({ url, cookie, documentId }: Seat, query = "", headers: Record<string, string> = {}) =>
  new WebSocket(`${url.replace("http", "ws")}/documents/${documentId}/live/socket?${query}`, {
    headers: { cookie, origin: url, ...headers },
  });

export async function fetchState({ url, cookie, documentId }: Seat, epoch?: string): Promise<Uint8Array> {
  const query = epoch ? `?epoch=${epoch}` : "";
  const answer = await fetch(`${url}/documents/${documentId}/live/state${query}`, { headers: { cookie } });
  if (answer.status !== 200) throw new Error(`state: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** An editor without a screen: the tab's own session over a real socket. `seat.url` may change between connections. */
export async function openEditor(
  seat: { url: string; cookie: string; documentId: string },
  options: Partial<SessionOptions> = {},
): Promise<LiveSession> {
  const session = new LiveSession({
    fetchState: (epoch) => fetchState(seat, epoch),
    openSocket: (query) => {
      const socket = openSocket(seat, query);
      socket.on("error", () => undefined);
      return socket;
    },
    newId: newBlockId,
    ...options,
  });
  await session.start();
  await until("the editor is connected", () => session.connection !== "" || session.status.kind === "refused");
  return session;
}

/** An address on which nobody listens. */
const NOWHERE = "http://127.0.0.1:9";

/** Cuts an editor off until its seat has an address again. */
export function goOffline(session: LiveSession, seat: { url: string }): void {
  seat.url = NOWHERE;
  session.disconnect();
}

export const isSaved = (session: LiveSession): Promise<void> => until("everything is saved", () => session.isSaved);

/** The text of each top-level block that an editor shows. */
export const shownTexts = (session: LiveSession): string[] =>
  session.live.blocks.map(({ content = [] }) => content.map(({ text = "" }) => text).join(""));

/** Puts text at the end of a top-level block, as a person types it. */
export function type({ live }: LiveSession, at: number, text: string): void {
  const block = defined(live.node(defined(live.order.at(at))));
  live.patch({ ...block, content: [...(block.content ?? []), { type: "text", text }] });
}

export const addBlock = ({ live }: LiveSession, text: string): void =>
  live.insert({ ...p(text), attrs: { id: newBlockId() } }, live.lastKey());

/** Opens the editors of a suite; those that are open after a test are closed. */
export function editorsIn(world: World) {
  const opened: LiveSession[] = [];
  afterEach(() => {
    for (const session of opened.splice(0)) session.close();
  });
  const openAt = async (seat: Seat, options: Partial<SessionOptions> = {}): Promise<LiveSession> => {
    const session = await openEditor(seat, options);
    opened.push(session);
    return session;
  };
  const seatOf = async (person: Person, documentId: string): Promise<Seat> => ({
    url: world.directUrl,
    cookie: await signIn(world, person),
    documentId,
  });
  const open = async (person: Person, documentId: string, options: Partial<SessionOptions> = {}) =>
    openAt(await seatOf(person, documentId), options);
  return { opened, openAt, open, seatOf };
}
