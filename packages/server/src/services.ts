import type { Logger } from "pino";
import type { Leases } from "./background/lease.ts";
import type { Presence } from "./background/presence.ts";
import type { Config } from "./config.ts";
import type { Database, VisibleDatabase } from "./db/database.ts";
import type { ServerSecret } from "./http/server-secret.ts";
import type { BlobStore } from "./ports/blobs/blob-store.ts";
import type { FetchDescription } from "./ports/client-metadata/fetch-description.ts";
import type { IdentityProvider } from "./ports/identity-provider/identity-provider.ts";
import type { Mailer } from "./ports/mail/mailer.ts";
import type { Model } from "./ports/model/model.ts";
import type { Translator } from "./ports/translator/translator.ts";
import type { WebhookSender } from "./ports/webhooks/sender.ts";
import type { AccessPolicy } from "./services/access-policy.ts";
import type { BodyGuard, BodyViews } from "./services/body-views.ts";
import type { EventStreams } from "./services/event-streams.ts";
import type { Importer } from "./services/importer.ts";
import type { LiveDocuments } from "./services/live-documents.ts";
import type { RemotePictures } from "./services/remote-pictures.ts";

/** Everything that requests can use: made once by app/make-services.ts and passed on. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** Reports to the other processes on the store that this one is alive. */
  readonly presence: Presence;
  /** Leases for work that only one process may do at a time. */
  readonly leases: Leases;
  readonly streams: EventStreams;
  /** Signs cursors and forms, derives share links and webhook secrets. */
  readonly secret: ServerSecret;
  /** The views that every change of a document updates. */
  readonly views: BodyViews<Services>;
  /** Writes model summaries, if one is configured. */
  readonly model: Model | undefined;
  /** The checks that every new body must pass. */
  readonly guards: readonly BodyGuard[];
  /** Stores attachment files. */
  readonly blobs: BlobStore;
  /** Pictures of other hosts that documents show. */
  readonly remotePictures: RemotePictures;
  /** Makes translation candidates, if one is configured. */
  readonly translator: Translator | undefined;
  /** Sends e-mail, if a mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** Sign-in services beside passwords and passkeys. */
  readonly identityProviders: readonly IdentityProvider[];
  /** Sends to the addresses of webhooks, and knows which are allowed. */
  readonly webhooks: WebhookSender;
  /** Reads and builds archives in a thread with limited memory and time. */
  readonly importer: Importer;
  readonly live: LiveDocuments;
  /** Fetches a program's description from the address that is its id. */
  readonly fetchDescription: FetchDescription;
  readonly access: AccessPolicy;
  /** Notifies this process's runner that a job was appended. */
  readonly wakeJobs: () => void;
  /** Notifies a view's background work in this process that there is something to do. */
  readonly wakeView: (name: string) => void;
}

/** The services for one caller: their reads find only what the caller may see. */
export interface CallerServices extends Services {
  readonly database: VisibleDatabase;
}
