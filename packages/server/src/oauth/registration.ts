import type { FastifyRequest } from "fastify";
import { registerClient } from "../resources/oauth/register-client.ts";
import type { Services } from "../services.ts";

/** RFC 7591: what was registered, as the program may rely on it. Programs here keep no secret: PKCE stands for one. */
export async function register({ database }: Services, request: FastifyRequest): Promise<object> {
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
