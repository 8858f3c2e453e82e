import type { Configuration } from "openid-client";
import { type Identity, IdentityError, type IdentityProvider, type SignInFlow } from "./identity-provider.ts";

interface ProviderSettings {
  readonly key: string;
  readonly issuer: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scope: string;
  readonly groupsClaim: string | undefined;
}

const TIMEOUT_S = 10;
/** The maximum difference between the clocks of two machines. */
const CLOCK_TOLERANCE_S = 60;
/** How long a provider's metadata is cached. */
const METADATA_MS = 60 * 60_000;
/** The maximum age of a sign-in by a person who was asked to sign in again. */
const ANEW_S = 300;

/** The library is loaded with the first sign-in. */
const library = () => import("openid-client");

/** A provider that speaks OpenID Connect. Its metadata is fetched at the first sign-in. */
export function oidcProvider(settings: ProviderSettings): IdentityProvider {
  const { key, issuer, name } = settings;
  let cached: { readonly metadata: Promise<Configuration>; readonly until: number } | undefined;
  const configuration = (): Promise<Configuration> => {
    if (cached && cached.until > Date.now()) return cached.metadata;
    const metadata = discover(settings);
    cached = { metadata, until: Date.now() + METADATA_MS };
    metadata.catch(() => {
      cached = undefined;
    });
    return metadata;
  };
  return {
    key,
    issuer,
    name,
    begin: (flow) => inWords(name, async () => begin(await configuration(), settings, flow)),
    finish: (flow, answer) => inWords(name, async () => finish(await configuration(), settings, flow, answer)),
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const {
    allowInsecureRequests,
    ClientSecretBasic,
    ClientSecretPost,
    clockTolerance,
    discovery,
    enableNonRepudiationChecks,
    None,
  } = await library();
  const authentication =
    clientSecret === undefined
      ? None()
      : (...[server, ...rest]: Parameters<ReturnType<typeof None>>) => {
          const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
          const way = methods.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost;
          way(clientSecret)(server, ...rest);
        };
  // By default the library trusts the connection to the token endpoint instead of checking the ID token's signature.
  const checks = [enableNonRepudiationChecks];
  // The settings allow plain HTTP for this machine alone.
  const execute = issuer.startsWith("http:") ? [...checks, allowInsecureRequests] : checks;
  const metadata = { [clockTolerance]: CLOCK_TOLERANCE_S };
  return discovery(new URL(issuer), clientId, metadata, authentication, { execute, timeout: TIMEOUT_S });
}

async function begin(configuration: Configuration, { scope }: ProviderSettings, flow: SignInFlow): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
  return buildAuthorizationUrl(configuration, {
    redirect_uri: flow.redirectUri,
    scope,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: "S256",
    ...(flow.isAnew && { prompt: "login", max_age: "0" }),
  }).href;
}

/** The library checks state, `iss` of the answer, signature, audience, times and nonce. */
async function finish(
  configuration: Configuration,
  settings: ProviderSettings,
  flow: SignInFlow,
  answer: URLSearchParams,
): Promise<Identity> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  const tokens = await authorizationCodeGrant(configuration, new URL(`${flow.redirectUri}?${answer}`), {
    pkceCodeVerifier: flow.verifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
    ...(flow.isAnew && { maxAge: ANEW_S }),
  });
  const claims = tokens.claims();
  if (!claims) throw new IdentityError(`${settings.name} did not say who you are.`);
  const isWhole = claims.email !== undefined && (!settings.groupsClaim || claims[settings.groupsClaim] !== undefined);
  const more =
    isWhole || !configuration.serverMetadata().userinfo_endpoint
      ? {}
      : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return identityOf(settings, { ...more, ...claims });
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.replaceAll("\0", "\ufffd").trim() : undefined;

function identityOf({ issuer, groupsClaim }: ProviderSettings, claims: Claims): Identity {
  const groups = groupsClaim === undefined ? undefined : claims[groupsClaim];
  return {
    issuer,
    subject: claims.sub,
    email: textOf(claims.email),
    isEmailVerified: claims.email_verified === true,
    name: textOf(claims.name) ?? textOf(claims.preferred_username),
    groups:
      typeof groups === "string"
        ? [groups]
        : Array.isArray(groups)
          ? groups.filter((group) => typeof group === "string")
          : undefined,
  };
}

/** Describes an error in a sentence and quotes the provider's own message. */
async function inWords<T>(name: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    const { AuthorizationResponseError } = await library();
    if (!(error instanceof AuthorizationResponseError))
      throw new IdentityError(`${name} could not be reached, or its answer could not be believed. Try again.`, error);
    if (error.error === "access_denied") throw new IdentityError(`${name} did not let you in.`, error);
    const said = error.error_description ?? error.error;
    throw new IdentityError(`${name} did not sign you in. It says: ${said.slice(0, 300)}`, error);
  }
}
