import { crc32 } from "node:zlib";
import type { ImageSize } from "./image-size.ts";
import { imageSize } from "./size.ts";

/** A picture file without metadata. */
interface CleanPicture extends ImageSize {
  readonly contentType: "image/png" | "image/jpeg" | "image/webp";
  readonly bytes: Buffer;
}

const cleaners = [
  ["image/png", cleanPng],
  ["image/jpeg", cleanJpeg],
  ["image/webp", cleanWebp],
] as const;

/**
 * Rebuilds a PNG, JPEG or WebP from the parts that show the picture: without location, camera, comment, animation, or a
 * second file behind the end. Undefined for any other file, and for one whose parts do not fit together.
 */
export function cleanPicture(given: Buffer): CleanPicture | undefined {
  for (const [contentType, clean] of cleaners) {
    const parts = clean(given);
    if (!parts) continue;
    const bytes = Buffer.concat(parts);
    const size = imageSize(bytes);
    return size && { contentType, bytes, ...size };
  }
  return undefined;
}

const PNG_BEGIN = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_CHUNKS = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT"]);

function cleanPng(bytes: Buffer): Buffer[] | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_BEGIN) || bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  const kept: Buffer[] = [PNG_BEGIN];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (PNG_CHUNKS.has(type)) kept.push(bytes.subarray(at, end));
    if (type === "IEND") return kept;
    at = end;
  }
  return undefined;
}

/** Parts of a JPEG without a length. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const [END, SCAN, COMMENT] = [0xd9, 0xda, 0xfe];

/** The parts that the browser needs beside the picture: JFIF, colour profile, Adobe's colour transform. */
const isShown = (marker: number, part: Buffer): boolean =>
  marker === 0xe0 || marker === 0xee || (marker === 0xe2 && part.toString("latin1", 4, 15) === "ICC_PROFILE");

function cleanJpeg(bytes: Buffer): Buffer[] | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  const kept = [bytes.subarray(0, 2)];
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === END) return [...kept, bytes.subarray(at, at + 2)];
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else {
      if (at + 4 > bytes.length) return undefined;
      const end = at + 2 + bytes.readUInt16BE(at + 2);
      if (end > bytes.length || end < at + 4) return undefined;
      const next = marker === SCAN ? endOfScan(bytes, end) : end;
      const part = bytes.subarray(at, next);
      const isNote = marker === COMMENT || (marker >= 0xe0 && marker <= 0xef && !isShown(marker, part));
      if (!isNote) kept.push(part);
      at = next;
    }
  }
  return undefined;
}

/** In a scan, 255 comes before 0 or a restart marker; any other byte after it ends the scan. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && at + 1 < bytes.length) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = bytes.indexOf(0xff, at + 2);
  }
  return bytes.length;
}

const WEBP_CHUNKS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP"]);
/** Bits of VP8X: Exif and XMP are removed, an animation is refused. */
const [NOTES, ANIMATION] = [0x0c, 0x02];

function cleanWebp(bytes: Buffer): Buffer[] | undefined {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return undefined;
  const fileEnd = 8 + bytes.readUInt32LE(4);
  if (fileEnd > bytes.length) return undefined;
  const kept: Buffer[] = [];
  for (let at = 12; at < fileEnd; ) {
    if (at + 8 > fileEnd) return undefined;
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > fileEnd) return undefined;
    const type = bytes.toString("latin1", at, at + 4);
    const chunk = Buffer.from(bytes.subarray(at, end));
    if (type === "VP8X" && length >= 10) {
      if (chunk.readUInt8(8) & ANIMATION) return undefined;
      chunk.writeUInt8(chunk.readUInt8(8) & ~NOTES, 8);
    }
    if (WEBP_CHUNKS.has(type)) kept.push(chunk);
    at = end;
  }
  const size = kept.reduce((sum, { length }) => sum + length, 4);
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(size, 4);
  return [head, ...kept];
}
