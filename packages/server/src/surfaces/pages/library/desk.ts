import type { AgentWork } from "@svc/web/server/pages/library/home";
import { listPage } from "../../../domain/discussion/notifications/list-page.ts";
import { sentenceOf } from "../../../domain/discussion/notifications/mail-text.ts";
import { listPersonal } from "../../../domain/library/personal/queries.ts";
import { DAY_MS } from "../../../time.ts";
import { readWaitingSuggestions } from "../discussion/waiting-suggestions.ts";
import { readWaitingVariants } from "../document/translations.ts";
import { canWriteSomewhere, type MemberVisit } from "../visit.ts";
import { subjectsOf } from "../workspace/activity-subjects.ts";
import { listAgentRows, listFirstCandidates } from "./browse-queries.ts";

const MAX_SUGGESTIONS = 5;
const MAX_NOTICES = 5;
const MAX_WORK = 8;
const MAX_FAVOURITES = 12;

/** Suggestions that this person may decide, their unread notifications, and how much there is to review. */
export async function readWaiting(visit: MemberVisit) {
  const { app, viewer } = visit;
  const person = { workspace_id: viewer.workspace.id, user_id: viewer.userId };
  const isWriter = canWriteSomewhere(visit);
  const [open, notices, variants, candidates] = await Promise.all([
    isWriter ? readWaitingSuggestions(visit, { knowledgeBaseId: undefined, author: undefined }) : [],
    listPage(app, app.database.read, person, { unread: true, limit: 20 }),
    isWriter ? readWaitingVariants(visit) : [],
    isWriter ? listFirstCandidates(app.database.read, viewer.workspace.id, 50) : [],
  ]);
  const mine = open.filter(({ canDecide }) => canDecide);
  // A suggestion that stands here already needs no second row.
  const others = notices.envelope.data.filter(({ reason }) => reason !== "suggestion" || mine.length === 0);
  return {
    suggestions: mine.slice(0, MAX_SUGGESTIONS),
    notices: others.slice(0, MAX_NOTICES).map((item) => ({
      id: item.id,
      sentence: sentenceOf(
        item.reason,
        item.actor.name,
        item.document_title ?? item.knowledge_base_name ?? viewer.workspace.name,
      ),
      createdAt: item.created_at,
    })),
    translations: variants.length,
    candidates: candidates.length,
    isMore: mine.length > MAX_SUGGESTIONS,
  };
}

/** The start of yesterday, in UTC. */
const startOfYesterday = (now: number): number => now - (now % DAY_MS) - DAY_MS;

/** The changes of agents since yesterday on what the person may see; the same change of a page is counted. */
export async function readAgentWork({ app, viewer }: MemberVisit, now: number): Promise<AgentWork[]> {
  const db = app.database.read;
  const rows = await listAgentRows(db, viewer.workspace.id, startOfYesterday(now));
  const subjectOf = await subjectsOf(db, viewer.workspace.id, rows);
  const groups = new Map<string, AgentWork & { count: number }>();
  for (const row of rows) {
    const subject = subjectOf(row);
    if (!subject) continue;
    const person = row.token_name ?? row.client_name ?? "An agent";
    const key = JSON.stringify([person, row.action, subject.href ?? subject.name]);
    const known = groups.get(key);
    if (known) known.count += 1;
    else groups.set(key, { person, action: row.action, subject, at: row.created_at, count: 1 });
  }
  return [...groups.values()].slice(0, MAX_WORK);
}

export async function readFavourites({ app, viewer }: MemberVisit) {
  const person = { workspace_id: viewer.workspace.id, user_id: viewer.userId };
  const rows = await listPersonal(app.database.read, person, "favourite_at", MAX_FAVOURITES);
  return rows.map(({ document_id: id, title, document_type: type }) => ({ id, title, type }));
}
