/** Read with the first upload. */
const library = () => import("file-type");

export const unknownContentType = "application/octet-stream";

/** More of a file than this does not make its type surer. */
const SNIFF_BYTES = 4100;

/** What a browser may show in place: pictures that cannot hold a script, and PDF. SVG and HTML are never among them. */
const inlineTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/apng",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "application/pdf",
]);

/** The content type by a file's first bytes; what they do not tell is `application/octet-stream`. Never throws because of them. */
export async function sniffContentType(firstBytes: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await library();
  try {
    const found = await fileTypeFromBuffer(firstBytes.subarray(0, SNIFF_BYTES));
    return found?.mime ?? unknownContentType;
  } catch {
    return unknownContentType;
  }
}

export const isShownInline = (contentType: string): boolean => inlineTypes.has(contentType);

export const isPictureShownInline = (contentType: string): boolean =>
  contentType.startsWith("image/") && isShownInline(contentType);
