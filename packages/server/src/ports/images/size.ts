import type { ImageSize } from "./image-size.ts";
import { jpegSize } from "./jpeg-size.ts";

/** Enough of a file to find its size: a JPEG may store it behind several blocks of camera data. */
export const IMAGE_HEAD_BYTES = 256 * 1024;

/**
 * The size of a PNG, JPEG, GIF or WebP from its first bytes; undefined for any other file, or if the bytes end too
 * early.
 */
export function imageSize(firstBytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(firstBytes.buffer, firstBytes.byteOffset, firstBytes.byteLength);
  for (const read of [pngSize, gifSize, webpSize, jpegSize]) {
    const size = read(view);
    if (size !== undefined) return size.width > 0 && size.height > 0 ? size : undefined;
  }
  return undefined;
}

const hasAscii = (view: DataView, offset: number, text: string): boolean =>
  offset + text.length <= view.byteLength &&
  [...text].every((character, index) => view.getUint8(offset + index) === character.charCodeAt(0));

function pngSize(view: DataView): ImageSize | undefined {
  const isPng = view.byteLength >= 24 && view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a;
  if (!isPng || !hasAscii(view, 12, "IHDR")) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): ImageSize | undefined {
  const isGif = view.byteLength >= 10 && (hasAscii(view, 0, "GIF87a") || hasAscii(view, 0, "GIF89a"));
  return isGif ? { width: view.getUint16(6, true), height: view.getUint16(8, true) } : undefined;
}

function webpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 25 || !hasAscii(view, 0, "RIFF") || !hasAscii(view, 8, "WEBP")) return undefined;
  if (hasAscii(view, 12, "VP8L") && view.getUint8(20) === 0x2f) return losslessSize(view.getUint32(21, true));
  if (view.byteLength < 30) return undefined;
  if (hasAscii(view, 12, "VP8X")) return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  // A lossy picture: after its start code, 14 bits each for width and height, 2 bits for scaling.
  const isLossy = hasAscii(view, 12, "VP8 ") && uint24(view, 23) === 0x2a019d;
  return isLossy ? { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff } : undefined;
}

/** 14 bits width, 14 bits height, each less one. */
const losslessSize = (bits: number): ImageSize => ({
  width: 1 + (bits & 0x3fff),
  height: 1 + ((bits >>> 14) & 0x3fff),
});

const uint24 = (view: DataView, offset: number): number =>
  view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
