/** The boundary in a content type; undefined if it is not multipart/form-data or has none. */
export function boundaryOf(contentType: string): string | undefined {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

interface PartHeaders {
  readonly name: string;
  /** Files have one, even if it is empty. */
  readonly fileName: string | undefined;
}

/** The name and file name in a part's head; undefined if it has no name. */
export function partHeaders(head: string): PartHeaders | undefined {
  const line = /(?:^|\r\n)content-disposition:[ \t]*form-data([^\r\n]*)/i.exec(head)?.[1];
  const name = line === undefined ? undefined : parameter(line, "name");
  if (line === undefined || name === undefined) return undefined;
  return { name, fileName: extended(line) ?? parameter(line, "filename") };
}

/** Quotes, line breaks and backslashes in names are encoded as browsers do it (`%22`) or escaped by a backslash. */
function parameter(line: string, name: string): string | undefined {
  const match = new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i").exec(line);
  if (!match) return undefined;
  const value = match[1]?.replace(/\\(["\\])/g, "$1") ?? match[2] ?? "";
  return value.replace(/%(22|0d|0a)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** `filename*=UTF-8''…` (RFC 8187). */
function extended(line: string): string | undefined {
  const encoded = /;[ \t]*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(line)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
