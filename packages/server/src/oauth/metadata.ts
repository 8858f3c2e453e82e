import { scopes } from "../http/scopes.ts";

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

/** How a token is got (RFC 8414): by the device grant, and by nothing else. */
export const serverMetadata = (base: string) => ({
  issuer: base,
  device_authorization_endpoint: `${base}/oauth/device_authorization`,
  token_endpoint: `${base}/oauth/token`,
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint: `${base}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: ["none"],
  grant_types_supported: [DEVICE_GRANT],
  response_types_supported: [],
  scopes_supported: scopes,
  service_documentation: `${base}/api-docs.md`,
});
