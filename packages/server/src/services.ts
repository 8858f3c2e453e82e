import type { Logger } from "pino";
import type { Leases } from "./background/lease.ts";
import type { Presence } from "./background/presence.ts";
import type { BodyGuard } from "./bodies/guard.ts";
import type { View } from "./bodies/view.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { StreamHub } from "./events/hub.ts";
import type { ServerSecret } from "./http/server-secret.ts";
import type { BlobStore } from "./ports/blobs/blob-store.ts";
import type { FetchDescription } from "./ports/client-metadata/fetch-description.ts";
import type { IdentityProvider } from "./ports/identity-provider/identity-provider.ts";
import type { Mailer } from "./ports/mail/mailer.ts";
import type { Model } from "./ports/model/model.ts";
import type { Translator } from "./ports/translator/translator.ts";
import type { WebhookSender } from "./ports/webhooks/sender.ts";
import type { Importer } from "./resources/import/import-task.ts";
import type { LiveHub } from "./resources/live/hub.ts";
import type { CheckAccess } from "./resources/rights/policy.ts";

/** What every request can reach: made once by app.ts and handed down. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** Tells the other processes on the store that this one lives. */
  readonly presence: Presence;
  /** What one process at a time may do. */
  readonly leases: Leases;
  /** The open event streams of this process. */
  readonly streams: StreamHub;
  /** Signs cursors and forms, derives share links and webhook secrets. */
  readonly secret: ServerSecret;
  /** The views that every change of a document goes through. */
  readonly views: readonly View[];
  /** Writes model summaries, if one is configured. */
  readonly model: Model | undefined;
  /** What every new body must pass. */
  readonly guards: readonly BodyGuard[];
  /** Where attachment files live. */
  readonly blobs: BlobStore;
  /** Makes translation candidates, if one is configured. */
  readonly translator: Translator | undefined;
  /** Sends e-mail, if a mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** Through which people sign in, beside passwords and passkeys. */
  readonly identityProviders: readonly IdentityProvider[];
  /** Sends to the addresses of webhooks, and knows which are allowed. */
  readonly webhooks: WebhookSender;
  /** Reads and builds archives in a thread with bounded memory and time. */
  readonly importer: Importer;
  /** The documents that people edit through this process. */
  readonly live: LiveHub;
  /** Reads what a program says of itself at the address that is its id. */
  readonly fetchDescription: FetchDescription;
  /** Decides what callers may do to whom not every knowledge base is the same. */
  readonly checkAccess: CheckAccess;
  /** Tells this process's runner that a job was appended. */
  readonly wakeJobs: () => void;
  /** Tells the work of a view in this process that there is something to do. */
  readonly wakeView: (name: string) => void;
}
