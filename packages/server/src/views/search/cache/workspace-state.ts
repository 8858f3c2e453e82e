import { statement } from "../../../db/statement/statement.ts";
import type { Opening } from "../read/opening.ts";

/**
 * Identifies a state of a workspace: the stamp identifies its index, and the last event all its documents. While all
 * three values are the same, queries return the same, except for the names of knowledge bases and folders.
 */
export type WorkspaceState = {
  readonly stamp: number;
  readonly eventId: number;
  readonly eventAt: number | null;
};

/** By workspace; undefined if nothing was ever indexed there. */
export const findState = statement<{ workspaceId: string }, WorkspaceState>({
  select: `c.workspace_id, c.stamp, coalesce(w.last_event_id, 0) as "eventId", e.created_at as "eventAt"`,
  from: `search_counters c
    left join workspace_counters w on w.workspace_id = c.workspace_id
    left join events e on e.workspace_id = w.workspace_id and e.id = w.last_event_id`,
  key: { workspaceId: "c.workspace_id" },
});

export const stateOf = ({ counters, event }: Opening): WorkspaceState => ({
  stamp: counters.stamp,
  eventId: event.id,
  eventAt: event.createdAt,
});

export const isSameState = (a: WorkspaceState, b: WorkspaceState): boolean =>
  a.stamp === b.stamp && a.eventId === b.eventId && a.eventAt === b.eventAt;
