import type { View } from "../../bodies/view.ts";
import { loadActor } from "../../domain/discussion/notifications/load-actor.ts";
import { mentionedInBlocks } from "../../domain/discussion/notifications/mentions.ts";
import { notify } from "../../notify/notify.ts";
import type { BodyDelta } from "../../services/body-views.ts";

/** Returns the people whom the changed blocks mention now and did not mention before. */
function newlyMentioned({ before, after, changes }: BodyDelta): string[] {
  const blocksAt = (blocks: BodyDelta["after"], places: readonly (number | null)[]) =>
    places.flatMap((at) => (at === null ? [] : (blocks[at] ?? [])));
  const places = (of: "old_position" | "new_position") => changes.map((change) => change[of]);
  const now = mentionedInBlocks(before.length === 0 ? after : blocksAt(after, places("new_position")));
  if (now.size === 0) return [];
  const then = mentionedInBlocks(blocksAt(before, places("old_position")));
  return [...now].filter((id) => !then.has(id));
}

/** Notifies people whom a text mentions. Those in a restored document were notified before. */
export const mentionsView: View = {
  name: "mentions",
  bodyChanged: async (tx, delta, app) => {
    if (delta.reason === "restored") return;
    const userIds = newlyMentioned(delta);
    if (userIds.length === 0) return;
    const { document } = delta;
    const { userId, tokenId, client } = delta.actor;
    const actor = await loadActor(tx, { userId, tokenId, isAgent: client.agent });
    const news = { workspaceId: document.workspace_id, document, actor, excerpt: "" };
    await notify(app, tx, news, [{ reason: "mention", userIds }]);
  },
};
