import { createHmac, timingSafeEqual } from "node:crypto";
import type { ServerSecret } from "../../../http/server-secret.ts";
import type { SignInFlow } from "../../../ports/identity-provider/identity-provider.ts";
import { localPath } from "../visit.ts";

/** The purpose of a sign-in at a provider, which `state` carries there and back. */
export interface FlowPurpose {
  readonly provider: string;
  /** The page that the person wants to reach. */
  readonly next: string;
  /** `prove`: a signed-in person confirms who they are. `connect`: they add this sign-in method. */
  readonly kind: "sign-in" | "prove" | "connect";
}

/**
 * Derives everything random about a flow from one cookie and the server's secret. So nothing is stored before a proof,
 * and any process can handle the answer.
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

/** The flow's purpose, if this browser started it with this provider. */
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
