const PREFIX = "webhooks:";

/** What is announced when a webhook of a workspace has something to do that is not a new event. */
export const topicOf = (workspaceId: string): string => PREFIX + workspaceId;

/** The workspace that a topic of ours, or one of its events, is about. */
export const workspaceOf = (topic: string): string | undefined => /^(?:webhooks|events):(.+)$/.exec(topic)?.[1];
