import type { Config } from "../../config.ts";
import { InvalidSetting } from "../invalid-setting.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { oidcProvider } from "./oidc-provider.ts";

type Settings = Pick<
  Config,
  "oidcIssuer" | "oidcClientId" | "oidcClientSecret" | "oidcName" | "oidcScopes" | "oidcGroupsClaim"
>;

const DEFAULT_SCOPES = ["openid", "email", "profile"];

/** The providers in the settings, in order. Contacts none of them yet. */
export function openIdentityProviders(settings: Settings): readonly IdentityProvider[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, oidcScopes, oidcGroupsClaim } = settings;
  requireAsMany("SVC_OIDC_CLIENT_ID", oidcClientId.length, oidcIssuer.length);
  if (oidcClientSecret.length > 0) requireAsMany("SVC_OIDC_CLIENT_SECRET", oidcClientSecret.length, oidcIssuer.length);
  if (oidcName.length > 0) requireAsMany("SVC_OIDC_NAME", oidcName.length, oidcIssuer.length);
  if (oidcScopes.length > 0 && !oidcScopes.includes("openid"))
    throw new InvalidSetting("SVC_OIDC_SCOPES", "needs openid among them");
  if (new Set(oidcIssuer).size < oidcIssuer.length)
    throw new InvalidSetting("SVC_OIDC_ISSUER", "names a provider twice");
  return oidcIssuer.map((issuer, at) =>
    oidcProvider({
      key: String(at + 1),
      issuer,
      name: oidcName[at] ?? new URL(issuer).hostname,
      clientId: oidcClientId[at] ?? "",
      clientSecret: oidcClientSecret[at],
      scope: (oidcScopes.length > 0 ? oidcScopes : DEFAULT_SCOPES).join(" "),
      groupsClaim: oidcGroupsClaim,
    }),
  );
}

function requireAsMany(setting: string, given: number, issuers: number): void {
  if (given !== issuers)
    throw new InvalidSetting(setting, `has ${given} values, while SVC_OIDC_ISSUER names ${issuers} providers`);
}
