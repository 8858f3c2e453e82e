const SUFFIX = ".files";

/**
 * The key of the index of a workspace's files. It stands where the index of its documents has the workspace's id, so
 * that neither index changes the statistics of the other.
 */
export const filesKey = (workspaceId: string): string => workspaceId + SUFFIX;

export const isFilesKey = (key: string): boolean => key.endsWith(SUFFIX);

export const workspaceOfKey = (key: string): string => key.slice(0, -SUFFIX.length);
