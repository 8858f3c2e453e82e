import type { Config } from "../../../config.ts";
import type { Reader } from "../../../db/database.ts";
import { getCounters } from "../../../events/counters.ts";
import { DAY_MS } from "../../../time.ts";
import { countWebhooks } from "../../library/quotas/count-webhooks.ts";
import { findAskedTokens, findTranslatedCharacters } from "./queries.ts";

/** The UTC day, by which translation usage is counted. */
const utcDay = (now: number): string => new Date(now).toISOString().slice(0, 10);

export async function readQuota(db: Reader, workspaceId: string, config: Config, now: number) {
  const counters = await getCounters(db, workspaceId);
  return {
    workspace_id: workspaceId,
    knowledge_bases: { used: counters.knowledge_bases, limit: config.maxKnowledgeBases },
    folders: { used: counters.folders, limit: config.maxFolders },
    documents: { used: counters.documents, limit: config.maxDocuments },
    webhooks: { used: await countWebhooks(db, workspaceId), limit: config.maxWebhooks },
    document_characters: { limit: config.maxDocumentCharacters },
    attachments: {
      used_bytes: counters.attachment_bytes,
      limit_bytes: config.maxStorageBytes,
      max_file_bytes: config.maxAttachmentBytes,
    },
    machine_translation: {
      used_characters: await findTranslatedCharacters(db, workspaceId, utcDay(now)),
      limit_characters: config.translationDailyCharacters,
      resets_at: (Math.floor(now / DAY_MS) + 1) * DAY_MS,
    },
    questions: {
      used_tokens: await findAskedTokens(db, workspaceId, utcDay(now)),
      limit_tokens: config.askDailyTokens,
      resets_at: (Math.floor(now / DAY_MS) + 1) * DAY_MS,
    },
  };
}
