/** The parts of an address, before any lookup. */
type Address =
  | { readonly kind: "document"; readonly id: string; readonly blockId: string | undefined }
  | { readonly kind: "knowledge_base"; readonly id: number }
  | { readonly kind: "folder"; readonly id: number }
  | { readonly kind: "path"; readonly text: string };

const DOCUMENT =
  /^(?:svc:\/\/doc\/|https?:\/\/[^?#]*\/)?(doc_[0-9A-Z]{26})(?:[/?][^#]*)?(?:#(?:block=)?(block_[0-9A-Z]{26}))?$/;
const NUMBERED = /^(?:(kb|folder):|https?:\/\/[^?#]*\/(knowledge-base|folder)s\/)(\d{1,15})(?:[?#].*)?$/;

/** An id (`doc_…`, `kb:3`, `folder:7`), the URI of a document, the address of a page, or a path `kb/folder/title`. */
export function parseAddress(text: string): Address {
  const [, id, blockId] = DOCUMENT.exec(text.trim()) ?? [];
  if (id) return { kind: "document", id, blockId };
  const [, kind, page, number] = NUMBERED.exec(text.trim()) ?? [];
  if (number) return { kind: (kind ?? page) === "folder" ? "folder" : "knowledge_base", id: Number(number) };
  return { kind: "path", text };
}
