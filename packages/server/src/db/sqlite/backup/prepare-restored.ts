import { DatabaseSync } from "node:sqlite";
import { ulid } from "../../../ulid.ts";

/**
 * Changes a restored store where it must differ from the one that was saved. Live states continue under a new epoch:
 * open tabs must merge their text instead of sending updates of the replaced store. Updates that were not yet in their
 * bodies stay.
 */
export function prepareRestored(file: string): void {
  const database = new DatabaseSync(file);
  const epoch = ulid();
  // The processes that were serving hold nothing in this store.
  database.exec("begin; delete from live_people; delete from leases; delete from processes");
  for (const table of ["live_documents", "live_updates"]) database.prepare(`update ${table} set epoch = ?`).run(epoch);
  // Event ids will be reused, so clients that follow the replaced store must be able to notice it.
  database.prepare("insert or replace into server_state (key, value) values ('history', ?)").run(epoch);
  // The restored store has not been backed up.
  database.exec("delete from server_state where key like 'backup_%'; commit");
  database.close();
}
