import { scopes } from "../http/callers/scopes.ts";

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** Where the description of a protected resource stands (RFC 9728). */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** What `/mcp` asks for, and who gives it out (RFC 9728). */
export const resourceMetadata = (base: string) => ({
  resource: `${base}/mcp`,
  resource_name: "svc",
  authorization_servers: [base],
  scopes_supported: scopes,
  bearer_methods_supported: ["header"],
  resource_documentation: `${base}/api-docs.md`,
});

/** How a token is got (RFC 8414): in a browser with a code and PKCE, or by the device grant. */
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
