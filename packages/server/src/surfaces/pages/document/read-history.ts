import type { HistoryEntry, HistoryList } from "@svc/web/server/pages/document/history-list";
import { listStates } from "../../../bodies/history/read-state.ts";
import { type ShownState, showStates } from "../../../domain/content/history/schema.ts";
import { zoneOf } from "../look.ts";
import type { MemberVisit } from "../visit.ts";

export const entryOf = ({ id, kind, by, started_at, ended_at, name }: ShownState): HistoryEntry => ({
  id,
  kind,
  by: by.map(({ name: person, client, agent, accepted_by }) => ({
    name: person,
    client,
    agent,
    acceptedBy: accepted_by?.name ?? null,
  })),
  startedAt: started_at,
  endedAt: ended_at,
  name,
});

const PAGE = 100;

/** The newest versions of a page, or those before a place. */
export async function readHistory(visit: MemberVisit, documentId: string, below?: number): Promise<HistoryList> {
  const db = visit.app.database.read;
  const key = { workspaceId: visit.viewer.workspace.id, documentId };
  const rows = await listStates(db, key, below ?? Number.MAX_SAFE_INTEGER, PAGE + 1);
  const states = await showStates(db, rows.slice(0, PAGE));
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined;
  return {
    documentId,
    zone: zoneOf(visit),
    entries: states.map(entryOf),
    older: last && `/documents/${documentId}/versions?before=${last.place}`,
    current: below === undefined ? rows[0]?.id : undefined,
  };
}
