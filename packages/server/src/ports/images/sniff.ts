/** Loaded with the first upload. */
const library = () => import("file-type");

export const unknownContentType = "application/octet-stream";
export const svgType = "image/svg+xml";

/** Reading more of a file does not make its type more certain. */
export const SNIFF_BYTES = 4100;

/** The types that a browser may show inline: pictures that cannot contain a script, and PDF. Never SVG or HTML. */
const inlineTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/apng",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "application/pdf",
]);

/** Whether the root element is `<svg>`. It is sent as a download in a sandbox, in which `<img>` shows it. */
const isSvg = (head: Uint8Array): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:(?:<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE svg[^>[]*>)\s*)*<svg[\s>]/i.test(
    new TextDecoder().decode(head),
  );

/** Whether it begins with the mark of UTF-16 and a Latin letter. The library takes that for a sound file. */
const isUtf16 = ([a, b, c, d]: Uint8Array): boolean =>
  (a === 0xff && b === 0xfe && d === 0) || (a === 0xfe && b === 0xff && c === 0);

/**
 * The content type from a file's first bytes, or `application/octet-stream` if they do not determine it. Never throws
 * because of them.
 */
export async function sniffContentType(firstBytes: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await library();
  if (isUtf16(firstBytes)) return unknownContentType;
  try {
    const head = firstBytes.subarray(0, SNIFF_BYTES);
    const found = await fileTypeFromBuffer(head);
    return (found === undefined || found.mime === "application/xml") && isSvg(head)
      ? svgType
      : (found?.mime ?? unknownContentType);
  } catch {
    return unknownContentType;
  }
}

export const isShownInline = (contentType: string): boolean => inlineTypes.has(contentType);

export const isPictureShownInline = (contentType: string): boolean =>
  contentType.startsWith("image/") && isShownInline(contentType);
