import { isRecord } from "@svc/document/guards";
import { messageOf } from "@svc/document/thrown";
import { openMailer } from "@svc/server/ports/mail/open-mailer";
import { type Check, type Finding, request } from "./finding.ts";

/** Connects and signs in to the mail server; sends nothing. */
export const checkMail: Check = async ({ config }) => {
  const check = "mail";
  if (config.smtpUrl === undefined || config.mailFrom === undefined) {
    const advice =
      "Set SVC_SMTP_URL and SVC_MAIL_FROM, so that invitations, notifications and new passwords go by mail.";
    return [{ check, state: "off", message: "No mails are sent.", advice }];
  }
  try {
    await openMailer({ url: config.smtpUrl, from: config.mailFrom })?.verify();
    return [{ check, state: "ok", message: `The mail server accepts mails of ${config.mailFrom}.` }];
  } catch (error) {
    const advice =
      "See that SVC_SMTP_URL has the right host, port, user and password, and that no firewall is between.";
    return [{ check, state: "error", message: messageOf(error), advice }];
  }
};

export const checkIdentityProviders: Check = async ({ config }) => {
  if (config.oidcIssuer.length === 0)
    return [{ check: "identity provider", state: "off", message: "People sign in with passwords and passkeys." }];
  return Promise.all(config.oidcIssuer.map((issuer) => checkProvider(issuer, config.baseUrl)));
};

async function checkProvider(issuer: string, baseUrl: string | undefined): Promise<Finding> {
  const check = "identity provider";
  const address = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  if (baseUrl === undefined) {
    const advice =
      "Set SVC_BASE_URL to the public address, and register its /sign-in/oidc/1/callback with the provider.";
    return { check, state: "error", message: "A provider needs a fixed address to return to.", advice };
  }
  const advice = `Open ${address} on this machine, and compare SVC_OIDC_ISSUER with the "issuer" there.`;
  try {
    const response = await request(address);
    const description: unknown = response.ok ? await response.json() : undefined;
    if (!isRecord(description))
      return {
        check,
        state: "error",
        message: `${issuer} answers ${response.status} instead of its description.`,
        advice,
      };
    if (description.issuer !== issuer)
      return { check, state: "error", message: `${issuer} calls itself ${String(description.issuer)}.`, advice };
    return { check, state: "ok", message: `${issuer} can be reached.` };
  } catch (error) {
    return { check, state: "error", message: `${issuer} cannot be reached (${reasonOf(error)}).`, advice };
  }
}

/** fetch names the reason in its cause. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message || messageOf(error) : messageOf(error);
