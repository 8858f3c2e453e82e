import type { FastifyRequest } from "fastify";
import { registerClient } from "../../domain/identity/oauth/register-client.ts";
import type { Services } from "../../services.ts";

/** Registers a client and returns its metadata (RFC 7591). Clients have no secret; PKCE takes its place. */
export async function register({ database }: Pick<Services, "database">, request: FastifyRequest): Promise<object> {
  const client = await database.transaction((tx) => registerClient(tx, request.body, request.ip));
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt / 1000),
    client_name: client.name,
    ...(client.uri !== null && { client_uri: client.uri }),
    redirect_uris: client.redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}
