import { ApiError } from "./errors.ts";

/** The counted items of each quota, and their owner. */
const quotas = {
  knowledge_bases: ["knowledge bases", "a workspace"],
  folders: ["folders", "a workspace"],
  documents: ["documents", "a workspace"],
  attachment_bytes: ["files", "a workspace"],
  attachments: ["files", "a document"],
  concepts: ["concepts", "a knowledge base"],
  concept_sources: ["evidence", "a concept"],
  concept_relations: ["relations", "a concept"],
  manual_relations: ["stated relations", "a document"],
  comments: ["comments", "a document"],
  suggestions: ["open suggestions", "a document"],
  member_groups: ["groups", "a workspace"],
  webhooks: ["webhooks", "a workspace"],
  webhook_deliveries: ["waiting deliveries", "a webhook"],
  imports: ["imports at once", "a workspace"],
  jobs: ["jobs of this kind at once", "a workspace"],
  named_versions: ["versions with a name", "a document"],
  tokens: ["tokens", "a person"],
} as const satisfies Record<string, readonly [what: string, owner: string]>;

type Quota = keyof typeof quotas;

/** The error for one item beyond a quota, in words on which people and programs can act. */
export function quotaExceeded(quota: Quota, limit: number, used: number, hint?: string): ApiError {
  const [what, owner] = quotas[quota];
  const most = quota === "attachment_bytes" ? bytesInWords(limit) : limit.toLocaleString("en-US");
  const message = `There is no room for more ${what}: ${owner} may have ${most}.`;
  return new ApiError("quota_exceeded", { quota, limit, used, ...(hint && { hint }) }, {}, message);
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** Formats as "52.4 MB", rounded down, so that the stated size always fits. */
export function bytesInWords(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Math.floor((bytes / 1000 ** step) * 10) / 10} ${UNITS[step]}`;
}

/** A budget for one UTC day is used up. Like a rate limit it is a 429: waiting helps. */
export class DailyQuotaExceeded extends ApiError {
  constructor(quota: "ask_tokens", limit: number, used: number, resetsAt: number, now: number) {
    const hint = "Wait for the seconds in Retry-After, or ask the operator for a larger budget.";
    const headers = { "retry-after": String(Math.ceil((resetsAt - now) / 1000)) };
    const message = "The workspace has used its tokens for questions of today.";
    super("quota_exceeded", { quota, limit, used, resets_at: resetsAt, hint }, headers, message);
  }

  override get status(): number {
    return 429;
  }
}
