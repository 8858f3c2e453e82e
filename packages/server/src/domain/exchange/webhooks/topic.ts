const PREFIX = "webhooks:";

/** The topic announced when a webhook of a workspace has work other than a new event. */
export const topicOf = (workspaceId: string): string => PREFIX + workspaceId;

/** The workspace of a webhook or event topic. */
export const workspaceOf = (topic: string): string | undefined => /^(?:webhooks|events):(.+)$/.exec(topic)?.[1];
