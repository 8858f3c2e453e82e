import { isRecord } from "@svc/document/guards";
import { codeOf } from "@svc/document/thrown";
import { type Mail, MailError, type Mailer } from "./mailer.ts";

const CONNECT_MS = 10_000;
/** Silence of the server that ends an attempt. */
const SILENCE_MS = 30_000;

/** Sends through the SMTP server at `url`; each mail has a connection of its own, so nothing is held between them. */
export function smtpMailer(url: string, from: string): Mailer {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? "localhost";
  return {
    send: async (mail, id) => {
      try {
        const transport = await transportTo(url);
        await transport.sendMail({ ...messageOf(mail), from, messageId: `<${id}@${domain}>` });
      } catch (error) {
        throw mailError(error);
      }
    },
  };
}

/** The library is read with the first mail. What the address asks for in its query, such as `requireTLS`, counts too. */
async function transportTo(url: string) {
  const { createTransport } = await import("nodemailer");
  const timeouts = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS };
  // A text never brings a file or a page into a mail.
  return createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
}

const messageOf = ({ to, subject, text, html, unsubscribe }: Mail) => ({
  to: { name: "", address: to },
  subject,
  text,
  html,
  headers: {
    "Auto-Submitted": "auto-generated",
    ...(unsubscribe && {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  },
});

/** Codes of 500 and more are final by the protocol, but for refused sign-ins (530 to 539), which an operator mends. */
function mailError(error: unknown): MailError {
  const code = codeOf(error) || "failed";
  const responseCode = isRecord(error) && typeof error.responseCode === "number" ? error.responseCode : 0;
  const isFinal = (responseCode >= 500 && !(responseCode >= 530 && responseCode < 540)) || code === "EENVELOPE_FORMAT";
  return new MailError(`The mail server did not take it (${code}${responseCode ? `, ${responseCode}` : ""}).`, isFinal);
}
