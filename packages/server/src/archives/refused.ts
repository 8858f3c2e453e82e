/** The reason why an archive is not imported, in words for the person who sent it. */
export class ImportRefused extends Error {
  readonly code: "invalid_archive" | "unsafe_archive" | "archive_too_large" | "checksum_mismatch" | string;

  constructor(code: ImportRefused["code"], message: string) {
    super(message);
    this.name = "ImportRefused";
    this.code = code;
  }
}
