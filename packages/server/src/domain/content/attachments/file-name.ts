/** Control characters, line and paragraph separators, and marks that change the text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const hidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const MAX_CHARACTERS = 200;

/** The last segment of a path, without characters that could mislead a reader or a file system; never empty. */
export function cleanFileName(given: string | undefined): string {
  const last = (given ?? "").toWellFormed().normalize("NFC").split(/[\\/]/).at(-1) ?? "";
  const clean = last.replace(hidden, "").trim();
  if (clean === "" || /^\.+$/.test(clean)) return "file";
  return shorten(clean);
}

/** Cuts out the middle, so that the extension stays. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  const dot = characters.lastIndexOf(".");
  const ending = dot > 0 && characters.length - dot <= 20 ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_CHARACTERS - ending.length), ...ending].join("");
}

/** `Content-Disposition` with an ASCII name for old clients and the exact name in UTF-8 (RFC 6266, RFC 8187). */
export function contentDisposition(kind: "inline" | "attachment", fileName: string): string {
  const plain =
    fileName
      .normalize("NFKD")
      .replace(/[^\x20-\x7e]/g, "")
      .replace(/["\\%]/g, "_")
      .trim() || "file";
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
