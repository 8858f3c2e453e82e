import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { type Attempt, defaultRetryPolicy, type RetryPolicy, retryAfterMs, retrying } from "../retry.ts";
import { BlobStoreFailure } from "./blob-store.ts";
import type { S3Settings } from "./s3-settings.ts";
import { xmlText } from "./s3-xml.ts";

interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Includes the prefix; empty for the bucket itself. */
  readonly objectKey: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly range?: string | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | string;
  /** Statuses beside 2xx that are answers rather than failures. */
  readonly expected?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

export interface S3Options {
  readonly retry?: RetryPolicy;
  /** For one attempt, until the answer's headers arrive. */
  readonly timeoutMs?: number;
  /** Keys in one page of a listing; the store's own default if undefined. */
  readonly listPageSize?: number;
}

/** Sends one signed request; retries 5xx, 429 and lost connections. The answer's body is still unread. */
export type S3Client = (request: S3Request) => Promise<Response>;

const hardlyTransient = new Set([501, 505]);

export function s3Client(settings: S3Settings, options: S3Options = {}): S3Client {
  const { retry = defaultRetryPolicy, timeoutMs = 120_000 } = options;
  const signingKeys = new Map<string, ArrayBuffer>();
  return (request) => retrying(() => attempt(request, settings, signingKeys, timeoutMs), retry, request.signal);
}

async function attempt(
  request: S3Request,
  settings: S3Settings,
  signingKeys: Map<string, ArrayBuffer>,
  timeoutMs: number,
): Promise<Attempt<Response>> {
  const { url, headers } = await sign(request, settings, signingKeys);
  let response: Response;
  try {
    response = await send(request, url, headers, timeoutMs);
  } catch (error) {
    request.signal?.throwIfAborted();
    return { retry: new BlobStoreFailure("the object store cannot be reached", undefined, undefined, error) };
  }
  if (response.ok || request.expected?.includes(response.status)) return { done: response };
  const failure = await describe(response, request.method);
  const isTransient = (response.status >= 500 && !hardlyTransient.has(response.status)) || response.status === 429;
  if (!isTransient) throw failure;
  return { retry: failure, afterMs: retryAfterMs(response.headers.get("retry-after")) };
}

async function sign(request: S3Request, settings: S3Settings, signingKeys: Map<string, ArrayBuffer>) {
  const url = new URL(request.objectKey === "" ? settings.bucketUrl : `${settings.bucketUrl}/${request.objectKey}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const { accessKeyId, secretAccessKey, sessionToken, region } = settings;
  const signer = new AwsV4Signer({
    ...{ accessKeyId, secretAccessKey, region, service: "s3", cache: signingKeys },
    ...(sessionToken === undefined ? {} : { sessionToken }),
    method: request.method,
    url: url.href,
    headers: {
      "x-amz-content-sha256": createHash("sha256")
        .update(request.body ?? "")
        .digest("hex"),
    },
  });
  const signed = await signer.sign();
  const headers = new Headers(signed.headers);
  headers.set("accept-encoding", "identity");
  if (request.range !== undefined) headers.set("range", request.range);
  return { url: signed.url, headers };
}

/** The time limit ends with the headers: reading a large body may take as long as it needs. */
async function send(request: S3Request, url: URL, headers: Headers, timeoutMs: number): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error("timeout")), timeoutMs);
  try {
    return await fetch(url, {
      method: request.method,
      headers,
      redirect: "manual",
      signal: request.signal ? AbortSignal.any([limit.signal, request.signal]) : limit.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  } finally {
    clearTimeout(timer);
  }
}

async function describe(response: Response, method: string): Promise<BlobStoreFailure> {
  const text = await readSmall(response).catch(() => "");
  const reason = xmlText(text, "Code")
    ?.replace(/[^\w.-]/g, "")
    .slice(0, 64);
  const named = reason ? ` (${reason})` : "";
  return new BlobStoreFailure(
    `the object store answered ${response.status}${named} to ${method}`,
    response.status,
    reason,
  );
}

/** Reads an answer that should be small, at most 16 MiB of it. */
export async function readSmall(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > 16 * 1024 * 1024) throw new BlobStoreFailure("the object store's answer is too long");
  }
  return text + decoder.decode();
}
