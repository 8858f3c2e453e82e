import type { IncomingMessage } from "node:http";
import { addressPolicy } from "../webhooks/address-policy.ts";
import { checkedRequest } from "../webhooks/checked-request.ts";
import { checkedAddresses, resolverFor } from "../webhooks/sender.ts";
import { hostOf } from "../webhooks/target-url.ts";

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5000;

/** The document, and how long its site allows it to be cached; undefined if it does not say. */
interface Described {
  readonly description: unknown;
  readonly freshMs: number | undefined;
}

export type FetchDescription = (url: string) => Promise<Described>;

/** The reason why there is no description, shown to the person as it is. */
export class DescriptionError extends Error {}

/**
 * Fetches the JSON document at the address that a program gives as its id. A stranger chooses the address, so only
 * public addresses and those that the operator allows for webhooks are contacted, no redirect is followed, and no more
 * is read than a description needs.
 */
export function openDescriptions(allowedRanges: readonly string[]): FetchDescription {
  const mayReach = addressPolicy(allowedRanges);
  const resolve = resolverFor(allowedRanges);
  return async (text) => {
    const url = checkedUrl(text, allowedRanges.length > 0);
    const addresses = await checkedAddresses(hostOf(url), mayReach, resolve).catch((error: Error) => {
      throw new DescriptionError(error.message);
    });
    const response = await get(url, addresses);
    const freshMs = freshness(response.headers["cache-control"]);
    return { description: JSON.parse(await read(response)), freshMs };
  };
}

/** Plain HTTP is allowed only if the operator lets this server contact their own network. */
function checkedUrl(text: string, allowsPlain: boolean): URL {
  const url = URL.parse(text);
  const isPlain = url?.hash === "" && url.username === "" && url.password === "";
  if (!url || !isPlain || url.pathname === "/" || url.href !== text)
    throw new DescriptionError("The program's id is not an address of a description.");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && allowsPlain))
    throw new DescriptionError("The program's id must be an https: address.");
  return url;
}

/** Applies the HTTP caching rules that a private cache needs; returns milliseconds. */
function freshness(cacheControl: string | undefined): number | undefined {
  const rules = (cacheControl ?? "").toLowerCase();
  if (/\bno-(store|cache)\b/.test(rules)) return 0;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/.exec(rules)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

async function get(url: URL, addresses: Awaited<ReturnType<typeof checkedAddresses>>): Promise<IncomingMessage> {
  const headers = { accept: "application/json", "user-agent": "svc" };
  return checkedRequest(url, addresses, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw new DescriptionError("The program's description cannot be reached.");
  });
}

async function read(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new DescriptionError(`The program's description answered ${response.statusCode}.`);
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response.iterator()) {
    parts.push(part);
    size += part.length;
    if (size > MAX_BYTES) {
      response.destroy();
      throw new DescriptionError("The program's description is too long.");
    }
  }
  return Buffer.concat(parts).toString("utf8");
}
