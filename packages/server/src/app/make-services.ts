import type { Logger } from "pino";
import { Leases } from "../background/lease.ts";
import { Presence } from "../background/presence.ts";
import type { Config } from "../config.ts";
import { connect } from "../db/connect.ts";
import { accessPolicy } from "../domain/access/policy/policy.ts";
import { RemotePictures } from "../domain/content/remote-pictures/remote-pictures.ts";
import { guards } from "../domain/guards.ts";
import { LiveHub } from "../domain/live/hub.ts";
import { ensureHistory } from "../events/history.ts";
import { StreamHub } from "../events/hub.ts";
import { loadSecret } from "../operation/secret.ts";
import { openBlobStore } from "../ports/blobs/open-blob-store.ts";
import { openDescriptions } from "../ports/client-metadata/fetch-description.ts";
import { openIdentityProviders } from "../ports/identity-provider/open-identity-providers.ts";
import { openMailer } from "../ports/mail/open-mailer.ts";
import { openModel } from "../ports/model/open-model.ts";
import { openPictures } from "../ports/remote-pictures/fetch-picture.ts";
import { openTranslator } from "../ports/translator/open-translator.ts";
import { openWebhookSender } from "../ports/webhooks/sender.ts";
import type { Services } from "../services.ts";
import { views } from "../views/index.ts";
import { ThreadImporter } from "./threads/run-import.ts";

interface Wake {
  readonly jobs: Services["wakeJobs"];
  readonly view: Services["wakeView"];
}

/** Opens the store and the clients of external services, for a server or for a thread beside it. */
export async function makeServices(config: Config, log: Logger, wake: Wake): Promise<Services> {
  const database = await connect(config, log);
  await ensureHistory(database);
  const presence = new Presence(database, log);
  const blobs = openBlobStore({ blobUrl: config.blobUrl, dataDir: config.dataDir, env: process.env });
  const services: Services = {
    config,
    database,
    log,
    presence,
    leases: new Leases(database, presence),
    streams: new StreamHub({ config, database, log, presence }),
    views,
    guards,
    blobs,
    remotePictures: new RemotePictures({
      database,
      blobs,
      log,
      fetch: openPictures(config.webhookPrivateAddresses),
    }),
    secret: await loadSecret(database, config),
    model: openModel({ url: config.modelUrl, name: config.modelName, apiKey: config.modelApiKey }),
    translator: openTranslator({
      provider: config.translationProvider,
      url: config.translationUrl,
      apiKey: config.translationApiKey,
      model: config.translationModel,
    }),
    mailer: openMailer({ url: config.smtpUrl, from: config.mailFrom }),
    identityProviders: openIdentityProviders(config),
    fetchDescription: openDescriptions(config.webhookPrivateAddresses),
    webhooks: openWebhookSender({
      allowedRanges: config.webhookPrivateAddresses,
      timeoutMs: config.webhookTimeoutMs,
    }),
    access: accessPolicy,
    wakeJobs: wake.jobs,
    wakeView: wake.view,
    importer: new ThreadImporter(config),
    get live() {
      return live;
    },
  };
  const live = new LiveHub(services);
  return services;
}

/** Releases everything that this process or thread holds, and closes the store. */
export async function closeServices({ presence, database, importer, remotePictures }: Services): Promise<void> {
  await remotePictures.close();
  await importer.close();
  await presence.close();
  await database.close();
}
