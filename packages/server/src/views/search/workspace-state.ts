import { Memory } from "../../bodies/memory.ts";
import { lookup } from "../../db/lookup.ts";
import type { Opening } from "./opening.ts";

/**
 * Tells a state of a workspace from every other: its index is known by the stamp, all its documents by the last event.
 * As long as all three are the same, queries give the same, but for the names of knowledge bases and folders.
 */
export type WorkspaceState = {
  readonly stamp: number;
  readonly eventId: number;
  readonly eventAt: number | null;
};

/** By workspace; undefined when nothing was ever indexed there. */
export const findState = lookup<WorkspaceState>({
  select: `c.workspace_id, c.stamp, coalesce(w.last_event_id, 0) as "eventId", e.created_at as "eventAt"`,
  from: `search_counters c
    left join workspace_counters w on w.workspace_id = c.workspace_id
    left join events e on e.workspace_id = w.workspace_id and e.id = w.last_event_id`,
  key: ["c.workspace_id"],
});

export const stateOf = ({ counters, event }: Opening): WorkspaceState => ({
  stamp: counters.stamp,
  eventId: event.id,
  eventAt: event.createdAt,
});

/** What is known of one state of a workspace. */
export class KnownInState<Key, Value> {
  readonly #state: WorkspaceState;
  readonly items = new Map<Key, Value>();
  /** What all of it takes in memory. */
  bytes = 0;

  constructor(state: WorkspaceState) {
    this.#state = state;
  }

  isOf({ stamp, eventId, eventAt }: WorkspaceState): boolean {
    const own = this.#state;
    return own.stamp === stamp && own.eventId === eventId && own.eventAt === eventAt;
  }

  add(key: Key, value: Value, bytes: number): void {
    this.items.set(key, value);
    this.bytes += bytes;
  }
}

/** Remembers what holds in one state of a workspace: the last one that was seen. */
export class StateMemory<Key, Value> {
  readonly #workspaces: Memory<KnownInState<Key, Value>>;

  /** `mostBytes` for all workspaces together. */
  constructor(mostBytes: number) {
    this.#workspaces = new Memory(mostBytes);
  }

  /** Of the state that was seen last, whichever that was. */
  last(workspaceId: string): KnownInState<Key, Value> | undefined {
    return this.#workspaces.get(workspaceId);
  }

  of(workspaceId: string, state: WorkspaceState): KnownInState<Key, Value> {
    const known = this.last(workspaceId);
    return known?.isOf(state) ? known : new KnownInState(state);
  }

  /** To be called with what `of` gave and was added to. */
  keep(workspaceId: string, known: KnownInState<Key, Value>): void {
    this.#workspaces.set(workspaceId, known, known.bytes);
  }
}
