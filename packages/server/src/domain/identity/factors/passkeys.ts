import { isIP } from "node:net";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Tx } from "../../../db/database.ts";
import { newId, newSecret } from "../../../ids.ts";
import { AccountError } from "../accounts/account-error.ts";
import { findPasskey, insertPasskey, listPasskeys, updatePasskeyUse } from "./queries.ts";

/** Loaded with the first passkey. */
const library = () => import("@simplewebauthn/server");

/** The relying party: passkeys work at this site only. */
interface Site {
  readonly origin: string;
  readonly host: string;
}

/** Browsers support passkeys for domain names only, not for IP addresses. */
export function siteOf(baseUrl: string): Site | undefined {
  const { origin, hostname } = new URL(baseUrl);
  return isIP(hostname.replace(/^\[|\]$/g, "")) ? undefined : { origin, host: hostname };
}

/** COSE numbers of EdDSA, ES256 and RS256, which authenticators support. */
const ALGORITHMS = [-8, -7, -257];

const MAX_PASSKEYS = 20;

interface Owner {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
}

/** Options for the browser to create a passkey. */
export async function creationOptions(site: Site, owner: Owner, existing: readonly string[]) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "svc",
    rpID: site.host,
    userID: new TextEncoder().encode(owner.userId),
    userName: owner.email,
    userDisplayName: owner.name,
    attestationType: "none",
    supportedAlgorithmIDs: [...ALGORITHMS],
    excludeCredentials: existing.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/**
 * Options for the browser to use a passkey: any of this site, or one of the named ones. Built without the library,
 * because every sign-in page needs them.
 */
export const requestOptions = (site: Site, credentials: readonly string[]) => ({
  challenge: newSecret(),
  rpId: site.host,
  allowCredentials: credentials.map((id) => ({ id, type: "public-key" as const })),
  userVerification: "required" as const,
  timeout: 5 * 60_000,
});

const NOT_TAKEN = "This passkey was not accepted. Try again.";

function parsed<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch {
    throw new AccountError(NOT_TAKEN);
  }
}

/** Verifies the browser's new passkey and stores it. */
export async function addPasskey(
  tx: Tx,
  site: Site,
  userId: string,
  input: { readonly name: string; readonly answer: string; readonly challenge: string },
): Promise<void> {
  const { verifyRegistrationResponse } = await library();
  const response = parsed<RegistrationResponseJSON>(input.answer);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: input.challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw new AccountError(NOT_TAKEN, { cause: error });
  });
  if (!verified) throw new AccountError(NOT_TAKEN);
  if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS)
    throw new AccountError(`You have ${MAX_PASSKEYS} passkeys, as many as one person may have: remove one first.`);
  const { credential } = registrationInfo;
  const kept = await insertPasskey(tx, {
    id: newId("pky"),
    user_id: userId,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: (credential.transports ?? []).join(" ").slice(0, 200),
    name: input.name,
    created_at: Date.now(),
    last_used_at: null,
  });
  if (!kept) throw new AccountError("This passkey is known here already.");
}

/** The owner of the passkey that signed the challenge; undefined if it is unknown. */
export async function usePasskey(tx: Tx, site: Site, answer: string, challenge: string): Promise<string | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const response = parsed<AuthenticationResponseJSON>(answer);
  const known = typeof response?.id === "string" ? await findPasskey(tx, response.id) : undefined;
  if (!known) return undefined;
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
    credential: {
      id: known.credential_id,
      publicKey: Buffer.from(known.public_key, "base64url"),
      counter: known.counter,
    },
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  await updatePasskeyUse(tx, known.id, result.authenticationInfo.newCounter, Date.now());
  return known.user_id;
}
