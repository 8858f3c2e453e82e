const PREFIX = "events:";

/** The topic that is announced when a workspace has new events. */
export const topicOf = (workspaceId: string): string => PREFIX + workspaceId;

/** The workspace whose events a topic announces; undefined for other topics. */
export const workspaceOf = (topic: string): string | undefined =>
  topic.startsWith(PREFIX) ? topic.slice(PREFIX.length) : undefined;
