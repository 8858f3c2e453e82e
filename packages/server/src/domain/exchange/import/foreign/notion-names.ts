/** Notion appends the page's id to its name in files, directories and addresses. */
const ID = /[ -]?\b([0-9a-f]{32})(?:_all)?$/;

export const withoutId = (name: string): string => name.replace(ID, "").trim() || name;
export const idOf = (name: string): string | undefined => ID.exec(name)?.[1];
