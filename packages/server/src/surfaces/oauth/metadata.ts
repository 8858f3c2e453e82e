import { scopes } from "../../http/callers/scopes.ts";

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** The path of a protected resource's metadata (RFC 9728). */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** The metadata of `/mcp`: its scopes and its authorization server (RFC 9728). */
export const resourceMetadata = (base: string) => ({
  resource: `${base}/mcp`,
  resource_name: "svc",
  authorization_servers: [base],
  scopes_supported: scopes,
  bearer_methods_supported: ["header"],
  resource_documentation: `${base}/api-docs.md`,
});

/** The metadata of the authorization server (RFC 8414): the code flow with PKCE, and the device grant. */
export const serverMetadata = (base: string) => ({
  issuer: base,
  authorization_endpoint: `${base}/oauth/authorize`,
  token_endpoint: `${base}/oauth/token`,
  token_endpoint_auth_methods_supported: ["none"],
  registration_endpoint: `${base}/oauth/register`,
  revocation_endpoint: `${base}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: ["none"],
  device_authorization_endpoint: `${base}/oauth/device_authorization`,
  grant_types_supported: ["authorization_code", "refresh_token", DEVICE_GRANT],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  code_challenge_methods_supported: ["S256"],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  scopes_supported: scopes,
  service_documentation: `${base}/api-docs.md`,
});

/**
 * The same metadata at the address where OpenID Connect clients look (RFC 8414, 5). For an issuer with a path it is the
 * only address below that path, so a proxy that forwards nothing else still reaches it. There are no ID tokens and no
 * keys for them.
 */
export const openidMetadata = (base: string) => ({
  ...serverMetadata(base),
  jwks_uri: `${base}/oauth/jwks`,
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: [],
});
