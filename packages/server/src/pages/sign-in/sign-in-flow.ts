import { createHmac, timingSafeEqual } from "node:crypto";
import type { ServerSecret } from "../../http/server-secret.ts";
import type { SignInFlow } from "../../ports/identity-provider/identity-provider.ts";
import { localPath } from "../visit.ts";

/** What a sign-in at a provider is for: it comes back with the answer, inside of `state`. */
export interface FlowPurpose {
  readonly provider: string;
  /** Where the person wants to go. */
  readonly next: string;
  /** `prove`: somebody who is signed in shows that it is still them. `connect`: they want to come in this way, too. */
  readonly kind: "sign-in" | "prove" | "connect";
}

/**
 * Everything random about a flow is derived from one cookie of the browser and the server's secret, so that nothing is
 * stored before somebody has proven anything, and any process can take the answer.
 */
const derive = ({ current }: ServerSecret, cookie: string, use: string): string =>
  createHmac("sha256", current).update(`oidc:${use}:${cookie}`).digest("base64url");

export function flowOf(secret: ServerSecret, cookie: string, baseUrl: string, purpose: FlowPurpose): SignInFlow {
  const payload = Buffer.from(JSON.stringify([purpose.kind, purpose.next])).toString("base64url");
  const proof = derive(secret, cookie, `state:${purpose.provider}:${payload}`);
  return {
    redirectUri: `${baseUrl}/sign-in/oidc/${purpose.provider}/callback`,
    state: `${proof}.${payload}`,
    nonce: derive(secret, cookie, `nonce:${purpose.provider}`),
    verifier: derive(secret, cookie, `verifier:${purpose.provider}`),
    isAnew: purpose.kind !== "sign-in",
  };
}

/** What the flow was for, if this browser began it with this provider. */
export function purposeOf(
  secret: ServerSecret,
  cookie: string | undefined,
  provider: string,
  state: string | null,
): FlowPurpose | undefined {
  if (cookie === undefined || state === null) return undefined;
  const [proof = "", payload = ""] = state.split(".");
  const expected = Buffer.from(derive(secret, cookie, `state:${provider}:${payload}`));
  const given = Buffer.from(proof);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [kind, next]: [FlowPurpose["kind"], string] = JSON.parse(Buffer.from(payload, "base64url").toString());
  return { provider, kind, next: localPath(next) };
}
