import { isRecord } from "@svc/document/guards";
import { codeOf } from "@svc/document/thrown";
import { type Mail, MailError, type Mailer } from "./mailer.ts";

const CONNECT_MS = 10_000;
/** How long the server may be silent before an attempt ends. */
const SILENCE_MS = 30_000;

/** Sends through the SMTP server at `url`. Each mail uses a separate connection, so none stays open between mails. */
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
    verify: async () => {
      try {
        await (await transportTo(url)).verify();
      } catch (error) {
        throw mailError(error);
      }
    },
  };
}

/** The library is loaded with the first mail. Options in the address's query, such as `requireTLS`, apply too. */
async function transportTo(url: string) {
  const { createTransport } = await import("nodemailer");
  const timeouts = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS };
  // Prevents texts from including files or pages in a mail.
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

/** The protocol makes codes of 500 and more final, except refused sign-ins (530 to 539), which an operator can fix. */
function mailError(error: unknown): MailError {
  const code = codeOf(error) || "failed";
  const responseCode = isRecord(error) && typeof error.responseCode === "number" ? error.responseCode : 0;
  const isFinal = (responseCode >= 500 && !(responseCode >= 530 && responseCode < 540)) || code === "EENVELOPE_FORMAT";
  return new MailError(
    `The mail server did not accept it (${code}${responseCode ? `, ${responseCode}` : ""}).`,
    isFinal,
  );
}
