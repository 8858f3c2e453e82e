const PREFIX = "events:";

/** What is announced when a workspace has new events. */
export const topicOf = (workspaceId: string): string => PREFIX + workspaceId;
