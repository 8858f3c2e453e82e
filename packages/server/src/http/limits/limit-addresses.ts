import { isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ApiError } from "../../errors.ts";
import type { Services } from "../../services.ts";
import { RateLimiter, rateLimited } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** More members of the body of a refusal. */
    errorMembers?: (error: ApiError) => Record<string, unknown>;
    /** One of our static files, which browsers cache: it costs nothing and is not counted. */
    isFile?: boolean;
  }
}

/**
 * The rate-limit subject of a caller without a token. An IPv6 caller can use any address of its /64, so the whole
 * network counts.
 */
export function addressSubject(address: string): string {
  const plain = address.split("%")[0] ?? "";
  return `address:${isIPv6(plain) ? networkOf(plain) : plain}`;
}

/** Normalises the address to eight groups, two of which may be written as an IPv4 address. */
function networkOf(address: string): string {
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

function groupsOf(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [first = [], last = []] = hex.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = hex.includes("::") ? 8 - first.length - last.length : 0;
  return [...first, ...Array<string>(zeros).fill("0"), ...last].map((group) => Number.parseInt(group, 16));
}

/** Applies the rate limit of each address to this scope: the same as under /api/ without a token. */
export function limitAddresses(
  scope: FastifyInstance,
  { database, config }: Pick<Services, "database" | "config">,
): void {
  const limiter = new RateLimiter(database, config.rateLimit, config.rateLimitWindowS);
  scope.addHook("onClose", () => limiter.release().catch(() => undefined));
  scope.addHook("onRequest", async (request) => {
    if (request.routeOptions.config.isFile) return;
    const subject = addressSubject(request.ip);
    const allowance = limiter.takeLeased(subject) ?? (await limiter.take(subject));
    if (!allowance.admitted) throw rateLimited(allowance);
  });
}
