import type { PasskeyOffer } from "@svc/web/pages/sign-in/passkey-form";
import { AccountError } from "../../resources/accounts/account-error.ts";
import { requestOptions, siteOf, usePasskey } from "../../resources/factors/passkeys.ts";
import { newTicket, readTicket, spendTicket } from "../../resources/factors/ticket.ts";
import type { Visit } from "../visit.ts";

/** What a page needs so that a passkey can be used on it; undefined where browsers know none. */
export function offerPasskey(visit: Visit, credentials: readonly string[] = []): PasskeyOffer | undefined {
  const site = siteOf(visit.baseUrl);
  if (!site) return undefined;
  const options = requestOptions(site, credentials);
  return { options: JSON.stringify(options), ticket: ticketFor(visit, options.challenge) };
}

/** The challenge comes back with the answer, sealed and for this browser. */
export const ticketFor = ({ app, formToken }: Visit, challenge: string): string =>
  newTicket(app.secret, "passkey", formToken, challenge);

/** A form with the answer of a passkey. */
export const PASSKEY_BYTES = 16 * 1024;

/** The user whose passkey the form brings the answer of. Each challenge counts once. */
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
