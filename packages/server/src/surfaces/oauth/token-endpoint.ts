import type { FastifyRequest } from "fastify";
import { auditWords } from "../../domain/identity/accounts/audit-words.ts";
import { readResource } from "../../domain/identity/oauth/authorization-request.ts";
import { exchangeCode, type Outcome, refreshAccess } from "../../domain/identity/oauth/grant.ts";
import { OAuthError } from "../../domain/identity/oauth/oauth-error.ts";
import { findClient } from "../../domain/identity/oauth/queries.ts";
import { recordAudit } from "../../http/audit.ts";
import { baseUrlOf } from "../../http/base-url.ts";
import { clientOf } from "../../http/callers/caller.ts";
import type { Services } from "../../services.ts";

type Form = URLSearchParams;

/** Rejects repeated parameters. Only `resource` may occur several times (RFC 8707). */
export function checkOnce(form: Form): void {
  const twice = [...new Set(form.keys())].find((name) => name !== "resource" && form.getAll(name).length > 1);
  if (twice !== undefined)
    throw new OAuthError("invalid_request", `Parameter ${twice.slice(0, 100)} must not be repeated.`);
}

const required = (form: Form, name: string): string => {
  const value = form.get(name);
  if (!value) throw new OAuthError("invalid_request", `${name} is missing.`);
  return value;
};

/** Grants that create or renew a connection, answered in OAuth's format. */
export const grants: Readonly<
  Record<string, (services: Services, request: FastifyRequest, form: Form) => Promise<object>>
> = {
  authorization_code: async (services, request, form) => {
    const clientId = required(form, "client_id");
    const { database, config } = services;
    if (!(await findClient(database.read, clientId)))
      throw new OAuthError("invalid_client", "This program is not known here: register it.", 401);
    readResource(form, baseUrlOf(request, config));
    const exchange = {
      code: required(form, "code"),
      clientId,
      redirectUri: form.get("redirect_uri"),
      verifier: required(form, "code_verifier"),
      refreshDays: config.deviceTokenTtlDays,
      maxTokens: config.maxTokensPerUser,
    };
    return answerOf(services, request, () => database.transaction((tx) => exchangeCode(tx, exchange)));
  },
  refresh_token: async (services, request, form) => {
    const { database, config } = services;
    readResource(form, baseUrlOf(request, config));
    const refresh = {
      refreshToken: required(form, "refresh_token"),
      clientId: form.get("client_id"),
      scope: form.get("scope"),
      refreshDays: config.deviceTokenTtlDays,
    };
    return answerOf(services, request, () => database.transaction((tx) => refreshAccess(tx, refresh)));
  },
};

async function answerOf(
  services: Pick<Services, "database">,
  request: FastifyRequest,
  run: () => Promise<Outcome>,
): Promise<object> {
  const outcome = await run();
  if ("given" in outcome) {
    const { accessToken, refreshToken, expiresIn, scopes } = outcome.given;
    const token = { access_token: accessToken, token_type: "Bearer", expires_in: expiresIn };
    return { ...token, refresh_token: refreshToken, scope: scopes.join(" ") };
  }
  const { reused } = outcome;
  const by = { id: request.id, path: "/oauth/token", client: clientOf(request.headers["user-agent"]) };
  const summary = auditWords.reuseNoticed(reused.name);
  await services.database.transaction((tx) =>
    recordAudit(tx, reused, by, { action: "disconnect_program", status: 400, summary }),
  );
  throw new OAuthError("invalid_grant", "This was used before, so the connection has ended. Connect again.");
}
