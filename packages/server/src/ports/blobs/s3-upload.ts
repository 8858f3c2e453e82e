import { defined } from "@svc/document/defined";
import { BlobStoreFailure } from "./blob-store.ts";
import { readSmall, type S3Client } from "./s3-client.ts";
import { escapeXml, xmlText } from "./s3-xml.ts";

type Bytes = Uint8Array<ArrayBuffer>;

interface UploadPlan {
  readonly objectKey: string;
  /** At least 5 MiB, S3's minimum for a part that is not the last. */
  readonly partBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Cuts parts of exactly `partBytes`; a shorter one at the end is the last part. An empty source yields no part. Two
 * buffers alternate: a part is valid until the second part after it is requested.
 */
export async function* exactParts(source: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Bytes> {
  const buffers: Bytes[] = [];
  let count = 0;
  let filled = 0;
  const current = (): Bytes => {
    buffers[count % 2] ??= new Uint8Array(partBytes);
    return defined(buffers[count % 2]);
  };
  for await (const chunk of source) {
    for (let offset = 0; offset < chunk.byteLength; ) {
      const taken = chunk.subarray(offset, offset + partBytes - filled);
      current().set(taken, filled);
      filled += taken.byteLength;
      offset += taken.byteLength;
      if (filled < partBytes) continue;
      yield current();
      count++;
      filled = 0;
    }
  }
  if (filled > 0) yield current().subarray(0, filled);
}

/**
 * Sends one request if everything fits into one part, a multipart upload otherwise. One part is sent while the next
 * fills.
 */
export async function upload(client: S3Client, parts: AsyncGenerator<Bytes>, plan: UploadPlan): Promise<void> {
  try {
    const first = await parts.next();
    if (first.value?.byteLength === plan.partBytes) await uploadParts(client, withFirst(first.value, parts), plan);
    else await uploadWhole(client, first.value ?? new Uint8Array(0), parts, plan);
  } finally {
    await parts.return(undefined);
  }
}

async function uploadWhole(
  client: S3Client,
  body: Bytes,
  parts: AsyncGenerator<Bytes>,
  plan: UploadPlan,
): Promise<void> {
  // A short part is the last one, but the source may still end with an error.
  await parts.next();
  await drained(await client({ method: "PUT", objectKey: plan.objectKey, body, signal: plan.signal }));
}

async function* withFirst(first: Bytes, rest: AsyncGenerator<Bytes>): AsyncGenerator<Bytes> {
  yield first;
  yield* rest;
}

async function uploadParts(client: S3Client, parts: AsyncGenerator<Bytes>, plan: UploadPlan): Promise<void> {
  const { objectKey, signal } = plan;
  const started = await client({ method: "POST", objectKey, query: { uploads: "" }, signal });
  const uploadId = xmlText(await readSmall(started), "UploadId");
  if (uploadId === undefined) throw new BlobStoreFailure("the object store named no upload id");
  try {
    const tags = await sendParts(client, parts, { ...plan, uploadId });
    await complete(client, { objectKey, uploadId, signal }, tags);
  } catch (error) {
    await abandon(client, objectKey, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Sends one part while the next one fills. */
async function sendParts(
  client: S3Client,
  parts: AsyncIterable<Bytes>,
  { objectKey, uploadId, signal }: UploadPlan & { uploadId: string },
): Promise<string[]> {
  const tags: string[] = [];
  let sending: Promise<void> = Promise.resolve();
  const send = async (body: Bytes, partNumber: number) => {
    const query = { partNumber: String(partNumber), uploadId };
    const response = await client({ method: "PUT", objectKey, query, body, signal });
    await drained(response);
    tags[partNumber - 1] = response.headers.get("etag") ?? "";
  };
  let count = 0;
  try {
    for await (const part of parts) {
      await sending;
      sending = send(part, ++count);
      sending.catch(() => undefined);
    }
  } finally {
    await sending;
  }
  return tags;
}

interface Upload {
  readonly objectKey: string;
  readonly uploadId: string;
  readonly signal?: AbortSignal | undefined;
}

async function complete(
  client: S3Client,
  { objectKey, uploadId, signal }: Upload,
  tags: readonly string[],
): Promise<void> {
  const items = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${items.join("")}</CompleteMultipartUpload>`;
  const response = await client({ method: "POST", objectKey, query: { uploadId }, body, signal, expected: [404] });
  // The status is sent before the work is done, so a failure may come with status 200. A 404 means that an earlier
  // answer was lost and the upload is already complete. The caller checks the size of the stored object.
  const reason = xmlText(await readSmall(response), "Code");
  if (response.status === 200 && reason !== undefined) {
    throw new BlobStoreFailure(`the object store could not complete the upload (${reason.slice(0, 64)})`, 200, reason);
  }
}

export async function abandon(client: S3Client, objectKey: string, uploadId: string): Promise<void> {
  await drained(await client({ method: "DELETE", objectKey, query: { uploadId }, expected: [404] }));
}

/** Reads the rest, which frees the connection for the next request. */
export async function drained(response: Response): Promise<void> {
  await readSmall(response);
}
