import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { addressPolicy } from "../webhooks/address-policy.ts";
import { checkedAddresses, resolverFor } from "../webhooks/sender.ts";
import { hostOf } from "../webhooks/target-url.ts";

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5000;

/** What stands there, and for how long its site says that it need not be asked again; undefined where it does not say. */
interface Described {
  readonly description: unknown;
  readonly freshMs: number | undefined;
}

export type FetchDescription = (url: string) => Promise<Described>;

/** A reason why there is no description, said to the person as it is. */
export class DescriptionError extends Error {}

/**
 * Reads the JSON that stands at the address which a program gives as its id. The address is a stranger's choice: only
 * public ones and those that the operator allows for webhooks are reached, no redirect is followed, and no more is read
 * than a description needs.
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

/** Plain HTTP only where the operator lets this server reach into their own network. */
function checkedUrl(text: string, allowsPlain: boolean): URL {
  const url = URL.parse(text);
  const isPlain = url?.hash === "" && url.username === "" && url.password === "";
  if (!url || !isPlain || url.pathname === "/" || url.href !== text)
    throw new DescriptionError("The program's id is not an address of a description.");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && allowsPlain))
    throw new DescriptionError("The program's id must be an https: address.");
  return url;
}

/** Of the caching rules of HTTP what a cache of one reader needs; in milliseconds. */
function freshness(cacheControl: string | undefined): number | undefined {
  const rules = (cacheControl ?? "").toLowerCase();
  if (/\bno-(store|cache)\b/.test(rules)) return 0;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/.exec(rules)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

type Addresses = Awaited<ReturnType<typeof checkedAddresses>>;

function get(url: URL, addresses: Addresses): Promise<IncomingMessage> {
  const isTls = url.protocol === "https:";
  const checked: RequestOptions["lookup"] = (_host, options, found) => {
    const [first] = addresses;
    if (options.all) found(null, [...addresses]);
    else found(null, first?.address ?? "", first?.family ?? 4);
  };
  const options: RequestOptions = {
    headers: { accept: "application/json", "user-agent": "svc" },
    agent: isTls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    lookup: checked,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  return new Promise((resolve, reject) => {
    const request = (isTls ? requestHttps : requestHttp)(url, options, resolve);
    request.on("error", () => reject(new DescriptionError("The program's description cannot be reached.")));
    request.end();
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
