import type { Tx } from "../../../db/database.ts";
import { notifyAccountChange } from "../../../domain/discussion/notifications/notify-account-change.ts";
import { audit, type MemberVisit } from "../visit.ts";
import { holdSession } from "./hold-session.ts";

/** Audits a change of how the account is signed in to, and notifies the person at the address that the page knows. */
export async function auditChange(tx: Tx, visit: MemberVisit, action: string, words: string, status = 200) {
  const { userId, name, email } = visit.viewer;
  await holdSession(tx, visit);
  await audit(tx, visit, action, words, status);
  await notifyAccountChange(visit.app, tx, { userId, name, email, words });
}
