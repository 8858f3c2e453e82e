import { isRecord } from "@svc/document/guards";
import type { ApiError } from "@svc/sdk";

/** What a refusal says of one field of a request, to be put behind a name for people; undefined where it says nothing. */
export function issueMessage({ details }: ApiError, path: string): string | undefined {
  const issues = Array.isArray(details.issues) ? details.issues.filter(isRecord) : [];
  const message = issues.find((issue) => issue.path === path)?.message;
  return typeof message === "string" ? message : undefined;
}
