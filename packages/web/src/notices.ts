/** What a page says after a form was done and sent the browser on; only the key travels in the address. */
const notices: Record<string, string> = {
  welcome: "Your account is ready.",
  name: "Your name has been changed.",
  password: "Your password has been changed, and your other sessions have ended.",
  "password-and-tokens":
    "Your password has been changed, your other sessions have ended, and your tokens have been revoked.",
  "session-ended": "The session has ended.",
  "sessions-ended": "All your other sessions have ended.",
  "token-revoked": "The token has been revoked. Programs that use it are shut out from now on.",
  disconnected: "The program has been disconnected and is shut out from now on.",
  "webhook-sent": "It is on its way: reload the page to see what came of it.",
  "webhook-paused": "The webhook is paused. What happens meanwhile follows when it is taken up again.",
  "webhook-resumed": "The webhook goes on where it stopped.",
  "webhook-deleted": "The webhook has been deleted.",
  role: "The role has been changed.",
  removed: "The member has been removed, and their tokens here have been revoked.",
  left: "You have left the workspace.",
  joined: "You have joined the workspace.",
  withdrawn: "The invitation has been withdrawn.",
  renamed: "The workspace has been renamed.",
  "workspace-made": "The workspace is ready.",
  "signed-out": "You have signed out.",
  "base-made": "The knowledge base is ready.",
  accepted: "The candidate is a concept now.",
  rejected: "The candidate has been rejected and will not be proposed again.",
  translated: "The translation has been put into the document.",
  reviewed: "That text is done.",
  restored: "The earlier version is back. What it replaced was kept as a version.",
  discarded: "The document is in the trash, where it can be restored.",
  deleted: "The document has been deleted.",
  "file-deleted": "The file has been deleted.",
  "brought-back": "It is back where it was.",
  "share-on": "The share link is on. Anyone who has it can read this document.",
  "share-off": "The share link is off and no longer works.",
};

export const noticeText = (key: string | null): string | undefined =>
  key !== null && Object.hasOwn(notices, key) ? notices[key] : undefined;
