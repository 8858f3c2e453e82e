import type { PasskeyOffer } from "@svc/web/server/pages/sign-in/passkey-form";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { requestOptions, siteOf, usePasskey } from "../../../domain/identity/factors/passkeys.ts";
import { newTicket, readTicket, spendTicket } from "../../../domain/identity/factors/ticket.ts";
import type { Visit } from "../visit.ts";

/** The data that a page needs to use a passkey; undefined if browsers do not support them here. */
export function offerPasskey(visit: Visit, credentials: readonly string[] = []): PasskeyOffer | undefined {
  const site = siteOf(visit.baseUrl);
  if (!site) return undefined;
  const options = requestOptions(site, credentials);
  return { options: JSON.stringify(options), ticket: ticketFor(visit, options.challenge) };
}

/** The sealed challenge, bound to this browser, which comes back with the answer. */
export const ticketFor = ({ app, formToken }: Visit, challenge: string): string =>
  newTicket(app.secret, "passkey", formToken, challenge);

/** The size of a form with the answer of a passkey. */
export const PASSKEY_BYTES = 16 * 1024;

/** Verifies the passkey answer of a form and returns its user. Each challenge can be used once. */
export async function takePasskey(visit: Visit, prefix: "" | "proof_" = ""): Promise<string | undefined> {
  const { app, form, formToken, baseUrl } = visit;
  const site = siteOf(baseUrl);
  const ticket = readTicket<string>(app.secret, "passkey", formToken, form.get(`${prefix}passkey_ticket`));
  if (!site || !ticket) return undefined;
  try {
    return await app.database.transaction(async (tx) => {
      if (!(await spendTicket(tx, ticket))) return undefined;
      return usePasskey(tx, site, form.get(`${prefix}passkey`) ?? "", ticket.data);
    });
  } catch (error) {
    if (error instanceof AccountError) return undefined;
    throw error;
  }
}
