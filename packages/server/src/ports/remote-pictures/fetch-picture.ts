import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { addressPolicy } from "../webhooks/address-policy.ts";
import { checkedRequest } from "../webhooks/checked-request.ts";
import { checkedAddresses, resolverFor, untilAborted } from "../webhooks/sender.ts";
import { hostOf, targetProblem } from "../webhooks/target-url.ts";

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 16_384;

/** Resolves with the bytes of what is at an address; rejects when it cannot be reached or may not be asked. */
export type FetchPicture = (address: string, signal: AbortSignal) => Promise<Readable>;

/**
 * Reads from addresses that authors of documents chose: only public ones and those that the operator allows are reached,
 * and each redirect is checked like the first address.
 */
export function openPictures(allowedRanges: readonly string[]): FetchPicture {
  const mayReach = addressPolicy(allowedRanges);
  const resolve = resolverFor(allowedRanges);
  const ask = async (address: string, signal: AbortSignal): Promise<IncomingMessage> => {
    const problem = targetProblem(address, mayReach);
    if (problem !== undefined) throw new Error(`The address ${problem}.`);
    const url = new URL(address);
    const addresses = await untilAborted(() => checkedAddresses(hostOf(url), mayReach, resolve), signal);
    const headers = { accept: "image/*", "accept-encoding": "gzip", "user-agent": "svc" };
    return checkedRequest(url, addresses, { headers, maxHeaderSize: MAX_HEADER_BYTES, signal });
  };
  return async (address, signal) => {
    let target = address;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await ask(target, signal);
      const next = redirectOf(response, target);
      if (next === undefined) return contentOf(response);
      response.destroy();
      target = next;
    }
    throw new Error("The host redirects too often.");
  };
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: string): string | undefined {
  if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) return undefined;
  const url = new URL(headers.location, from);
  url.hash = "";
  return url.href;
}

function contentOf(response: IncomingMessage): Readable {
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (response.statusCode === 200 && encoding === "identity") return response;
  // An error of the response ends the stream that is read.
  if (response.statusCode === 200 && encoding === "gzip") return pipeline(response, createGunzip(), () => undefined);
  response.destroy();
  throw new Error(`The host answered ${response.statusCode}, encoded as ${encoding}.`);
}
