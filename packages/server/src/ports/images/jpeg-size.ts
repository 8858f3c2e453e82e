import type { ImageSize } from "./image-size.ts";

/** Frame headers; the codes between them (C4, C8, CC) mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const exifBlock = 0xe1;

/** Walks the blocks before the picture. The Exif orientation of a camera held upright swaps width and height. */
export function jpegSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let isTurned = false;
  for (let offset = 2; offset + 9 <= view.byteLength; ) {
    if (view.getUint8(offset) !== 0xff) return undefined;
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) offset += 1;
    else if (hasNoLength(marker)) offset += 2;
    else if (isFrame(marker)) return frameSize(view, offset, isTurned);
    else {
      const length = view.getUint16(offset + 2);
      if (length < 2 || marker === 0xda || marker === 0xd9) return undefined;
      if (marker === exifBlock)
        isTurned ||= isTurnedByExif(view, offset + 4, Math.min(offset + 2 + length, view.byteLength));
      offset += 2 + length;
    }
  }
  return undefined;
}

function frameSize(view: DataView, offset: number, isTurned: boolean): ImageSize {
  const height = view.getUint16(offset + 5);
  const width = view.getUint16(offset + 7);
  return isTurned ? { width: height, height: width } : { width, height };
}

/** Orientation 5 to 8 means a quarter turn. The tag is in the first directory of a small TIFF file. */
function isTurnedByExif(view: DataView, start: number, end: number): boolean {
  const tiff = start + 6;
  if (tiff + 8 > end || view.getUint32(start) !== 0x45786966) return false;
  const isLittle = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, isLittle);
  if (directory + 2 > end) return false;
  const count = view.getUint16(directory, isLittle);
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > end) return false;
    if (view.getUint16(entry, isLittle) === 0x0112) {
      const orientation = view.getUint16(entry + 8, isLittle);
      return orientation >= 5 && orientation <= 8;
    }
  }
  return false;
}
