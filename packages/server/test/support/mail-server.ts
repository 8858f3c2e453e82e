import { after, before, describe } from "node:test";
import { defined } from "@svc/document/defined";
import { portOf } from "@svc/server/http/port-of";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { until } from "./until.ts";
import { databases, World } from "./world.ts";

/** A real SMTP server that keeps what it is sent. */
export class MailServer {
  readonly mails: (Email & { readonly recipient: string })[] = [];
  readonly #server: SMTPServer;
  /** Refusals for the next attempts. */
  readonly refusals: number[] = [];
  readonly credentials: string[] = [];

  constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: ({ username = "", password = "" }, _session, done) => {
        this.credentials.push(`${username}:${password}`);
        done(null, { user: username });
      },
      onRcptTo: (_address, _session, done) => done(this.#refusal()),
      onData: (stream, session, done) => {
        this.#keep(
          stream,
          session.envelope.rcptTo.map(({ address }) => address),
        ).then(() => done(), done);
      },
    });
    this.#server.on("error", () => undefined);
  }

  /** On a port of its own unless one is named. */
  async listen(port = 0): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await until("the mail server listens", () => this.#server.server.listening);
  }

  get port(): number {
    return portOf(this.#server.server);
  }

  get url(): string {
    return `smtp://mailer:secret@127.0.0.1:${this.port}`;
  }

  async #keep(stream: AsyncIterable<Buffer>, recipients: readonly string[]): Promise<void> {
    const mail = await PostalMime.parse(Buffer.concat(await Array.fromAsync(stream)));
    for (const recipient of recipients) this.mails.push({ ...mail, recipient });
  }

  #refusal(): Error | null {
    const code = this.refusals.shift();
    return code === undefined ? null : Object.assign(new Error("refused by the test"), { responseCode: code });
  }

  sentTo(address: string) {
    return this.mails.filter(({ recipient }) => recipient === address);
  }

  /** The first mail to somebody that is as asked for. */
  async mailTo(address: string, isIt: (mail: Email) => boolean = () => true): Promise<Email> {
    let found: Email | undefined;
    await until(`a mail to ${address} arrives`, () => {
      found = this.sentTo(address).find(isIt);
      return found !== undefined;
    });
    return defined(found);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** The same suite on both databases, each with a server that sends its mails to a mail server of its own. */
export function onEachDatabaseWithMail(
  title: string,
  suite: (world: World, mails: MailServer) => void,
  more: Record<string, string> = {},
): void {
  for (const kind of databases)
    describe(`${title} [${kind}]`, () => {
      const mails = new MailServer();
      const settings: Record<string, string> = { SVC_MAIL_FROM: "Knowledge <svc@example.org>", ...more };
      const world = new World(kind, settings);
      before(async () => {
        await mails.listen();
        settings.SVC_SMTP_URL = mails.url;
        await world.start();
      });
      after(async () => {
        await world.stop();
        await mails.close();
      });
      suite(world, mails);
    });
}
