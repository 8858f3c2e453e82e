/** One e-mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** Address that ends such mails with one POST (RFC 8058), shown by mail programs as a button. */
  readonly unsubscribe?: string | undefined;
}

/** Sends e-mail. */
export interface Mailer {
  /** `id` is the same in every attempt, so that a receiver can recognise a mail that came twice. */
  send(mail: Mail, id: string): Promise<void>;
}

/** A mail that did not go out. */
export class MailError extends Error {
  /** The receiver will never take it: not worth another attempt. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.name = "MailError";
    this.isFinal = isFinal;
  }
}
