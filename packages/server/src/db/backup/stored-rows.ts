import { hash } from "node:crypto";

/** A value as both databases store it. */
export type StoredValue = string | bigint | Uint8Array | null;
export type StoredRow = readonly StoredValue[];

export interface TableColumns {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The number of rows of a table, and a digest of them that has no order: both are equal on every database. */
export interface TableDigest {
  readonly rows: number;
  readonly digest: string;
}

/** The rows of a whole store, as of one instant. */
export interface StoreRows {
  read(table: TableColumns): AsyncIterable<readonly StoredRow[]>;
  /** The last id that the database gave out, by table. Ids are never given out again, even after their rows are gone. */
  readonly lastIds: ReadonlyMap<string, bigint>;
}

const DIGEST_BYTES = 32;

function textOf(value: StoredValue): string {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "bigint" ? String(value) : `x${hash("sha256", value)}`;
}

/** Adds up the hashes of rows so that their order does not matter. The rows of a table differ, so none cancel out. */
export class RowsDigest {
  readonly #sum = Buffer.alloc(DIGEST_BYTES);
  #rows = 0;

  add(row: StoredRow): void {
    const digest = hash("sha256", row.map(textOf).join(","), "buffer");
    for (let at = 0; at < DIGEST_BYTES; at++) this.#sum[at] = (this.#sum[at] ?? 0) ^ (digest[at] ?? 0);
    this.#rows++;
  }

  result(): TableDigest {
    return { rows: this.#rows, digest: this.#sum.toString("hex") };
  }
}
