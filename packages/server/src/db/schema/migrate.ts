import { Migrator } from "kysely";
import type { ColumnTypes, Migration, Schema } from "./migration.ts";
import { foundation } from "./migrations/0001-foundation.ts";
import { documents } from "./migrations/0002-documents.ts";
import { events } from "./migrations/0003-events.ts";
import { relations } from "./migrations/0004-relations.ts";
import { jobs } from "./migrations/0005-jobs.ts";
import { attachments } from "./migrations/0006-attachments.ts";
import { shares } from "./migrations/0007-shares.ts";
import { summaries } from "./migrations/0008-summaries.ts";
import { concepts } from "./migrations/0009-concepts.ts";
import { localization } from "./migrations/0010-localization.ts";
import { browser } from "./migrations/0011-browser.ts";
import { search } from "./migrations/0013-search.ts";
import { webhooks } from "./migrations/0014-webhooks.ts";
import { searchStamp } from "./migrations/0015-search-stamp.ts";
import { renderings } from "./migrations/0016-renderings.ts";
import { manifestSteps } from "./migrations/0017-manifest-steps.ts";
import { quickCompression } from "./migrations/0018-quick-compression.ts";
import { wholeEventIds } from "./migrations/0019-whole-event-ids.ts";
import { deviceScopes } from "./migrations/0020-device-scopes.ts";
import { discussion } from "./migrations/0021-discussion.ts";
import { live } from "./migrations/0022-live.ts";
import { accounts } from "./migrations/0023-accounts.ts";
import { leases } from "./migrations/0024-leases.ts";
import { personalDocuments } from "./migrations/0025-personal-documents.ts";
import { notifications } from "./migrations/0026-notifications.ts";
import { oauth } from "./migrations/0027-oauth.ts";
import { bodySources } from "./migrations/0028-body-sources.ts";
import { visits } from "./migrations/0029-visits.ts";
import { keptStates } from "./migrations/0030-kept-states.ts";
import { properties } from "./migrations/0031-properties.ts";
import { rights } from "./migrations/0031-rights.ts";
import { notificationSettings } from "./migrations/0032-notification-settings.ts";
import { templates } from "./migrations/0033-templates.ts";
import { searchTexts } from "./migrations/0034-search-texts.ts";
import { signIn } from "./migrations/0035-sign-in.ts";
import { publicShares } from "./migrations/0036-public-shares.ts";
import { oauthBases } from "./migrations/0037-oauth-bases.ts";
import { authors } from "./migrations/0038-authors.ts";
import { formerRoles } from "./migrations/0039-former-roles.ts";
import { freshDescriptions } from "./migrations/0040-fresh-descriptions.ts";
import { pictures } from "./migrations/0041-pictures.ts";
import { keptDeletions } from "./migrations/0042-kept-deletions.ts";
import { snapshotClients } from "./migrations/0043-snapshot-clients.ts";
import { foundByPlace } from "./migrations/0044-found-by-place.ts";
import { sourceWarnings } from "./migrations/0045-source-warnings.ts";
import { wholeBodies } from "./migrations/0046-whole-bodies.ts";
import { bodyHtml } from "./migrations/0047-body-html.ts";
import { verifiedEmails } from "./migrations/0048-verified-emails.ts";
import { auditCreated } from "./migrations/0049-audit-created.ts";
import { endedLinks } from "./migrations/0050-ended-links.ts";
import { isAhead, putReadableSince } from "./newer-store.ts";

/** In order, each once, for ever: a step that has been released is never edited. */
const migrations: Record<string, Migration> = {
  "0001-foundation": foundation,
  "0002-documents": documents,
  "0003-events": events,
  "0004-relations": relations,
  "0005-jobs": jobs,
  "0006-attachments": attachments,
  "0007-shares": shares,
  "0008-summaries": summaries,
  "0009-concepts": concepts,
  "0010-localization": localization,
  "0011-browser": browser,
  "0013-search": search,
  "0014-webhooks": webhooks,
  "0015-search-stamp": searchStamp,
  "0016-renderings": renderings,
  "0017-manifest-steps": manifestSteps,
  "0018-quick-compression": quickCompression,
  "0019-whole-event-ids": wholeEventIds,
  "0020-device-scopes": deviceScopes,
  "0021-discussion": discussion,
  "0022-live": live,
  "0023-accounts": accounts,
  "0024-leases": leases,
  "0025-personal-documents": personalDocuments,
  "0026-notifications": notifications,
  "0027-oauth": oauth,
  "0028-body-sources": bodySources,
  "0029-visits": visits,
  "0030-kept-states": keptStates,
  "0031-properties": properties,
  "0031-rights": rights,
  "0032-notification-settings": notificationSettings,
  "0033-templates": templates,
  "0034-search-texts": searchTexts,
  "0035-sign-in": signIn,
  "0036-public-shares": publicShares,
  "0037-oauth-bases": oauthBases,
  "0038-authors": authors,
  "0039-former-roles": formerRoles,
  "0040-fresh-descriptions": freshDescriptions,
  "0041-pictures": pictures,
  "0042-kept-deletions": keptDeletions,
  "0043-snapshot-clients": snapshotClients,
  "0044-found-by-place": foundByPlace,
  "0045-source-warnings": sourceWarnings,
  "0046-whole-bodies": wholeBodies,
  "0047-body-html": bodyHtml,
  "0048-verified-emails": verifiedEmails,
  "0049-audit-created": auditCreated,
  "0050-ended-links": endedLinks,
};

/**
 * Brings the store to today's schema, or in tests to that of an earlier step. Safe when several processes start at once:
 * one does it, the others wait. A store that a newer release has brought further is left as it is.
 */
export async function migrate(db: Schema, types: ColumnTypes, last?: string): Promise<void> {
  if (await isAhead(db, new Set(Object.keys(migrations)))) return;
  const steps = Object.entries(migrations).map(([name, up]) => [name, { up: (schema: Schema) => up(schema, types) }]);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(steps) } });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error) throw error;
  if (last === undefined) await putReadableSince(db);
}
