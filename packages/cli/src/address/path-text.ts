/** The names of a path `kb/folder/title`; a slash inside a name is written `\/`. */
export const parsePath = (text: string): string[] =>
  text
    .split(/(?<!\\)\//)
    .map((name) => name.replaceAll("\\/", "/").trim())
    .filter((name) => name !== "");

export const showPath = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll("/", "\\/")).join("/");

/** A path that ends with a slash means the folder of that name. */
export const meansFolder = (text: string): boolean => /(?<!\\)\/$/.test(text.trim());
