export { titleKey } from "@svc/document/read/title-key";

/** For `like … escape '\'`: keys that have this one in them. */
export const likePattern = (key: string): string => `%${key.replace(/[\\%_]/g, "\\$&")}%`;
