import { isRecord } from "@svc/document/guards";
import type { ApiError } from "@svc/sdk";

/** A refusal's message about one field, worded to follow a label; undefined if it has none. */
export function issueMessage({ details }: ApiError, path: string): string | undefined {
  const issues = Array.isArray(details.issues) ? details.issues.filter(isRecord) : [];
  const message = issues.find((issue) => issue.path === path)?.message;
  return typeof message === "string" ? message : undefined;
}
