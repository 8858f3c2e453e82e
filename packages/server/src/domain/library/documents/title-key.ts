export { titleKey } from "@svc/document/read/title-key";

/** For `like … escape '\'`: matches keys that contain this one. */
export const likePattern = (key: string): string => `%${key.replace(/[\\%_]/g, "\\$&")}%`;
