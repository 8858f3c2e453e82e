const path = "/api/v1/attachments/";
const idPattern = /^att_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The id in an address of this service's attachments. */
export function attachmentIdOf(url: string): string | null {
  if (!url.startsWith(path)) return null;
  const id = url.slice(path.length);
  return idPattern.test(id) ? id : null;
}

export const attachmentUrl = (id: string): string => path + id;
