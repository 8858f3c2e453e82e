/** The API's limits on the number of entries per document and on their length. */
export const MAX_FILE_ADDRESSES = 2000;
export const MAX_FILE_ADDRESS_CHARACTERS = 2000;

/** Whether an address reads the same in a Markdown link, without brackets around it, and in the attribute of a tag. */
export const isPlainAddress = (address: string): boolean => !/[\s()<>"\\]/.test(address);

const isShort = (address: string): boolean => address !== "" && address.length <= MAX_FILE_ADDRESS_CHARACTERS;

/** Maps each address in a document to its spelling in the file: the first plain one, or else the first. */
export function fileAddresses(pairs: Iterable<readonly [said: string, there: string]>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [said, there] of pairs) {
    const known = found.get(there);
    if (!isShort(said) || !isShort(there) || (known === undefined && found.size === MAX_FILE_ADDRESSES)) continue;
    if (known === undefined || (!isPlainAddress(known) && isPlainAddress(said))) found.set(there, said);
  }
  return found;
}
