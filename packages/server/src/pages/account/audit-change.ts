import type { Tx } from "../../db/database.ts";
import { tellAccountChange } from "../../resources/notifications/tell-account-change.ts";
import { audit, type MemberVisit } from "../visit.ts";
import { holdSession } from "./hold-session.ts";

/** Records that the way into an account has changed, and tells the person at the address that the page knows of them. */
export async function auditChange(tx: Tx, visit: MemberVisit, action: string, words: string, status = 200) {
  const { userId, name, email } = visit.viewer;
  await holdSession(tx, visit);
  await audit(tx, visit, action, words, status);
  await tellAccountChange(visit.app, tx, { userId, name, email, words });
}
