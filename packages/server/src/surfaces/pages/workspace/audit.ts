import { auditPage } from "@svc/web/server/pages/workspace/audit";
import { listMembers } from "../../../domain/identity/members/queries.ts";
import { DAY_MS } from "../../../time.ts";
import { type AuditFilter, listAuditRows, listRecentActions } from "../library/browse-queries.ts";
import { get, type MemberVisit, type Outcome, show } from "../visit.ts";
import { subjectsOf } from "./activity-subjects.ts";

const PAGE = 50;

/** Parses the value of a date field, in UTC. */
const readDay = (text: string | null): number | undefined => {
  const time = text && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

/** Owners see all actions, others only their own. */
function filterOf({ query, viewer }: MemberVisit): AuditFilter {
  const isOwner = viewer.workspace.role === "owner";
  const until = readDay(query.get("until"));
  const before = query.get("before") ?? "";
  return {
    userId: isOwner ? query.get("person") || undefined : viewer.userId,
    action: query.get("action") || undefined,
    since: readDay(query.get("since")),
    until: until === undefined ? undefined : until + DAY_MS,
    agents: query.get("agents") === "1",
    before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
  };
}

async function showAudit(visit: MemberVisit): Promise<Outcome> {
  const { viewer, app, query } = visit;
  const db = app.database.read;
  const isOwner = viewer.workspace.role === "owner";
  const [rows, members, actions] = await Promise.all([
    listAuditRows(db, viewer.workspace.id, filterOf(visit), PAGE + 1),
    isOwner ? listMembers(db, viewer.workspace.id) : [],
    listRecentActions(db, viewer.workspace.id),
  ]);
  const shown = rows.slice(0, PAGE);
  const subjectOf = await subjectsOf(db, viewer.workspace.id, shown);
  const next = new URLSearchParams(query);
  next.set("before", String(shown.at(-1)?.id ?? 0));
  return show(
    auditPage({
      isOwner,
      members: members.map(({ id, name }) => ({ id, name })),
      actions,
      chosen: Object.fromEntries(query),
      entries: shown.map((row) => ({
        at: row.created_at,
        action: row.action,
        path: row.path,
        status: row.status,
        person: row.user_name,
        token: row.token_name,
        client: [row.client_name, row.client_version].filter(Boolean).join(" ") || null,
        isAgent: row.agent === 1,
        summary: row.summary,
        subject: subjectOf(row),
      })),
      next: rows.length > PAGE ? `/activity?${next}` : undefined,
      now: Date.now(),
    }),
  );
}

export const auditPages = [get("/activity", showAudit)];
