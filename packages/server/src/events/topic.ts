const PREFIX = "events:";

/** The topic that is announced when a workspace has new events. */
export const topicOf = (workspaceId: string): string => PREFIX + workspaceId;
