const keyShape = /^[A-Za-z0-9_-]{1,64}(?:\/[A-Za-z0-9_-]{1,64}){0,3}$/;
const prefixShape = /^(?:[A-Za-z0-9_-]{1,64}\/){0,3}[A-Za-z0-9_-]{0,64}$/;

/**
 * The server makes the keys: names of letters, digits, `_` and `-` with `/` between. A dot is not allowed, so no key
 * leaves the folder.
 */
export const isBlobKey = (key: string): boolean => keyShape.test(key);

export function checkBlobKey(key: string): string {
  if (!isBlobKey(key)) throw new TypeError("not a blob key");
  return key;
}

export function checkBlobPrefix(prefix: string): string {
  if (!prefixShape.test(prefix)) throw new TypeError("not a prefix of blob keys");
  return prefix;
}
