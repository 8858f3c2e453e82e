import type { BodyDelta, View } from "../../bodies/view.ts";
import { doerOf } from "../../resources/notifications/doer.ts";
import { mentionedInBlocks } from "../../resources/notifications/mentions.ts";
import { notify } from "../../resources/notifications/notify.ts";

/** People whom the changed blocks mention now, and did not mention before. */
function newlyMentioned({ before, after, changes }: BodyDelta): string[] {
  const blocksAt = (blocks: BodyDelta["after"], places: readonly (number | null)[]) =>
    places.flatMap((at) => (at === null ? [] : (blocks[at] ?? [])));
  const places = (of: "old_position" | "new_position") => changes.map((change) => change[of]);
  const now = mentionedInBlocks(before.length === 0 ? after : blocksAt(after, places("new_position")));
  if (now.size === 0) return [];
  const then = mentionedInBlocks(blocksAt(before, places("old_position")));
  return [...now].filter((id) => !then.has(id));
}

/** Tells people that a text mentions them. For what comes back from the trash they were notified before. */
export const mentionsView: View = {
  name: "mentions",
  bodyChanged: async (tx, delta, app) => {
    if (delta.reason === "restored") return;
    const userIds = newlyMentioned(delta);
    if (userIds.length === 0) return;
    const { document, actor } = delta;
    const { userId, tokenId, client } = actor;
    const doer = await doerOf(tx, { userId, tokenId, isAgent: client.agent });
    const news = { workspaceId: document.workspace_id, document, doer, excerpt: "" };
    await notify(app, tx, news, [{ reason: "mention", userIds }]);
  },
};
