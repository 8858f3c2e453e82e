/** A picture of another host that pages show, or the failure to fetch it. It belongs to no workspace. */
export interface RemotePictureRow {
  /** SHA-256 of its address. */
  address_hash: string;
  /** Null, like the key of its blob, until it has been fetched. */
  content_type: string | null;
  blob_key: string | null;
  size: number;
  /** 1: the last attempt to fetch it failed. */
  failed: number;
  /** When it may be fetched again. Moving this time on claims the next attempt. */
  due_at: number;
  used_at: number;
}
