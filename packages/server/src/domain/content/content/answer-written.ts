import type { ChangedBody } from "../../../bodies/change-body.ts";
import { type Answer, created, ok } from "../../../http/answer.ts";
import { DryRun } from "../../../http/route.ts";
import { changedIds } from "./changed-ids.ts";

/** The response to every body and block write. A dry run responds the same and is then rolled back. */
export function answerWritten(
  changed: ChangedBody,
  {
    dryRun = false,
    isNew = false,
    more = {},
  }: { dryRun?: boolean | undefined; isNew?: boolean; more?: Record<string, unknown> },
): Answer {
  const data = {
    version: changed.version,
    changed_block_ids: changedIds(changed),
    ...(changed.merged && { merged: true }),
    ...more,
  };
  const answer = (isNew ? created : ok)(data, { etag: changed.version });
  if (dryRun) throw new DryRun(answer);
  return answer;
}
