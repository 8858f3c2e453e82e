/** One e-mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** The address that unsubscribes with one POST (RFC 8058), shown by mail programs as a button. */
  readonly unsubscribe?: string | undefined;
}

/** Sends e-mail. */
export interface Mailer {
  /** `id` is the same in every attempt, so that a receiver can recognise a duplicate. */
  send(mail: Mail, id: string): Promise<void>;
  /** Connects and signs in, and sends nothing. Throws MailError. */
  verify(): Promise<void>;
}

/** A mail that could not be sent. */
export class MailError extends Error {
  /** The receiver will never accept it, so another attempt is useless. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.name = "MailError";
    this.isFinal = isFinal;
  }
}
