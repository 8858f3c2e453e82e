import { isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Services } from "../services.ts";
import { RateLimiter, rateLimited } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A file of ours that browsers keep: costs nothing and is not counted. */
    isFile?: boolean;
  }
}

/** Who asks without a token. An IPv6 caller has a whole /64 to choose addresses from, so that is what counts. */
export function addressSubject(address: string): string {
  const isPlain = isIPv6(address) && !address.includes(".");
  return `address:${isPlain ? networkOf(address) : address.replace(/^::ffff:/i, "")}`;
}

function networkOf(address: string): string {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const [first, last] = [head, tail ?? ""].map((part) => part.split(":").filter(Boolean)) as [string[], string[]];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(zeros).fill("0"), ...last];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** Holds what is mounted on this scope to the window of each address: the same as under /api/ without a token. */
export function limitAddresses(scope: FastifyInstance, { database, config }: Services): void {
  const limiter = new RateLimiter(database, config.rateLimit, config.rateLimitWindowS);
  scope.addHook("onClose", () => limiter.release().catch(() => undefined));
  scope.addHook("onRequest", async (request) => {
    if (request.routeOptions.config.isFile) return;
    const subject = addressSubject(request.ip);
    const allowance = limiter.takeLeased(subject) ?? (await limiter.take(subject));
    if (!allowance.admitted) throw rateLimited(allowance);
  });
}
