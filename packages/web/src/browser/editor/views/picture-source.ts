import { remoteAddress } from "../../../shared/remote-address.ts";
import { at } from "../../islands/common/base-path.ts";

/** Remote pictures that this reader has asked for, where pages do not show them by themselves. */
const asked = new Set<string>();

const page = (): DOMStringMap => document.querySelector<HTMLElement>("[data-live-editor]")?.dataset ?? {};

/** The address from which the browser loads a picture: its file, the server's copy of a remote picture, or the text's address. */
interface PictureSource {
  readonly url: string;
  /** The host of a remote picture that is not shown yet. */
  readonly waitsFor: string | undefined;
  readonly load: () => void;
}

export function pictureSource(attachmentId: string, src: string): PictureSource {
  const plain = (url: string): PictureSource => ({ url, waitsFor: undefined, load: () => undefined });
  if (attachmentId !== "") return plain(at(`/files/${encodeURIComponent(attachmentId)}`));
  const address = remoteAddress(src);
  if (address === undefined || new URL(address).origin === location.origin) return plain(src);
  const { documentId, remotePictures } = page();
  const isOff = remotePictures === "off";
  return {
    url: at(`/documents/${documentId}/pictures?address=${encodeURIComponent(address)}${isOff ? "&load=1" : ""}`),
    waitsFor: isOff && !asked.has(address) ? new URL(address).host : undefined,
    load: () => asked.add(address),
  };
}

/** The address in the text of a remote picture that was copied from one of our pages. */
export function originalAddress(src: string): string | undefined {
  const url = URL.parse(src, location.href);
  return url?.origin === location.origin && /\/pictures$/.test(url.pathname)
    ? (url.searchParams.get("address") ?? undefined)
    : undefined;
}
