import { InvalidSetting } from "../invalid-setting.ts";
import type { Mailer } from "./mailer.ts";
import { smtpMailer } from "./smtp-mailer.ts";

interface MailSettings {
  /** SVC_SMTP_URL and SVC_MAIL_FROM; if the first is unset, no mails are sent. */
  readonly url?: string | undefined;
  readonly from?: string | undefined;
}

export function openMailer({ url, from }: MailSettings): Mailer | undefined {
  if (!url) return undefined;
  if (!from) throw new InvalidSetting("SVC_MAIL_FROM", "is needed when SVC_SMTP_URL is set");
  return smtpMailer(url, from);
}
