import type { Tables } from "../../../db/schema/tables.ts";

interface Owned {
  readonly restored: boolean;
  /** A binary column: the trash stores it as Base64. */
  readonly bytes?: string;
}

/**
 * Tables whose rows belong to one document (column `document_id`) and are deleted with it. Those marked are restored
 * with it.
 */
const ownedTables = {
  document_properties: { restored: true },
  bodies: { restored: true },
  body_sources: { restored: true },
  file_addresses: { restored: true },
  // Rebuilt on request.
  body_html: { restored: false },
  segments: { restored: true },
  snapshots: { restored: true },
  history_states: { restored: true },
  history_segments: { restored: true },
  changes: { restored: true },
  summaries: { restored: true },
  document_sets: { restored: true },
  translation_states: { restored: true },
  translation_units: { restored: true },
  localization_audit: { restored: true },
  // Derived, but kept so that a relation has the same id and creator after a restore.
  inline_relations: { restored: true },
  relation_views: { restored: false },
  manual_relations: { restored: true },
  comments: { restored: true },
  comment_reactions: { restored: true },
  deleted_comments: { restored: true },
  suggestions: { restored: true },
  notifications: { restored: true },
  watches: { restored: true },
  personal_documents: { restored: true },
  // Live editing restarts after a restore: an editor that is still open merges its text.
  live_documents: { restored: false },
  live_updates: { restored: false },
  live_people: { restored: false },
  live_epochs: { restored: false },
  recent_states: { restored: false },
  restore_points: { restored: true, bytes: "packed" },
} as const satisfies Partial<Record<keyof Tables, Owned>>;

export type OwnedTable = keyof typeof ownedTables;
export const ownedTableNames = Object.keys(ownedTables) as OwnedTable[];
export const restoredTableNames = ownedTableNames.filter((name) => ownedTables[name].restored);
const owned: Readonly<Record<OwnedTable, Owned>> = ownedTables;
export const bytesColumn = (name: OwnedTable): string | undefined => owned[name].bytes;
