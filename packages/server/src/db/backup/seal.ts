import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { BackupError } from "./backup-error.ts";

/** The last line of a backup: SQLite ignores it, and a file that was cut off does not have it. */
const sealOf = (digest: string): string => `\nsvc-backup sha256:${digest}\n`;
export const SEAL_BYTES = sealOf("0".repeat(64)).length;
const SEAL = /^\nsvc-backup sha256:([0-9a-f]{64})\n$/;

/** Appends the checksum of everything before it, and flushes the file. */
export async function seal(file: string): Promise<void> {
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(file)) digest.update(chunk);
  const handle = await open(file, "a");
  try {
    await handle.write(sealOf(digest.digest("hex")));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies a backup without its seal. Throws if it is damaged or not complete. */
export async function unseal(file: string, copy: string): Promise<void> {
  const source = await open(file, "r");
  const target = await open(copy, "w", 0o600);
  try {
    const { size } = await source.stat();
    const expected = SEAL.exec(await endOf(source, size))?.[1];
    if (expected === undefined)
      throw new BackupError(`${file} is not a whole backup made by svc: its end is missing. Use another backup.`);
    const digest = createHash("sha256");
    for await (const chunk of source.createReadStream({ start: 0, end: size - SEAL_BYTES - 1, autoClose: false })) {
      digest.update(chunk);
      await target.writeFile(chunk);
    }
    if (digest.digest("hex") !== expected)
      throw new BackupError(`${file} is damaged: its checksum does not match. Use another backup.`);
  } finally {
    await target.close();
    await source.close();
  }
}

async function endOf(source: FileHandle, size: number): Promise<string> {
  if (size <= SEAL_BYTES) return "";
  const { buffer } = await source.read(Buffer.alloc(SEAL_BYTES), 0, SEAL_BYTES, size - SEAL_BYTES);
  return buffer.toString("latin1");
}
