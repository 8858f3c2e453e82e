import { readFileSync } from "node:fs";
import {
  choice,
  count,
  databaseAddress,
  days,
  issuers,
  keep,
  listenAddress,
  mailbox,
  names,
  number,
  oneOf,
  optional,
  optionalNumber,
  origins,
  pooling,
  proxies,
  publicAddress,
  ranges,
  refuse,
  type Setting,
  SettingError,
  text,
  url,
  words,
} from "./settings/kinds.ts";

/** Every setting, in the order of the documentation. */
export const settings = {
  host: text("SVC_HOST", "127.0.0.1", "address to listen on"),
  port: number("SVC_PORT", 3000, 0, 65535, "port to listen on; 0 takes a free one"),
  workers: number("SVC_WORKERS", 1, 1, 64, "processes that serve on the port; about one per processor core"),
  baseUrl: publicAddress(
    "SVC_BASE_URL",
    "public address, used in links and in the device flow; may have a path, which a proxy in front takes away or leaves",
    "from the request's host",
  ),
  dataDir: text("SVC_DATA_DIR", "./data", "embedded database and attachments"),
  databaseUrl: databaseAddress(
    "SVC_DATABASE_URL",
    "`postgres://…` puts everything on PostgreSQL; with several hosts the one that takes writes is used",
    "SQLite in the data directory",
  ),
  databasePooling: pooling(
    "SVC_DATABASE_POOLING",
    "how a pooler in front of PostgreSQL, such as PgBouncer, hands out connections; only `session` works",
  ),
  databaseWaitMs: number(
    "SVC_DATABASE_WAIT_MS",
    10_000,
    100,
    600_000,
    "how long a request waits for a connection, other writers or its commit before it is answered 503",
  ),
  blobUrl: url(
    "SVC_BLOB_URL",
    ["s3:"],
    "`s3://bucket/prefix?endpoint=…&region=…` puts attachments on an S3-compatible store",
    "files in the data directory",
    true,
  ),
  backupDir: optional(
    "SVC_BACKUP_DIR",
    "folder, or `s3://bucket/prefix?endpoint=…&region=…`, into which the server puts a backup every day",
    "unset: no scheduled backups",
    true,
  ),
  backupKeep: keep(
    "SVC_BACKUP_KEEP",
    { daily: 7, weekly: 4 },
    "how many scheduled backups stay: the last one of so many days, and the last one of so many weeks",
  ),
  backupFiles: oneOf(
    "SVC_BACKUP_FILES",
    ["on", "off"],
    "on",
    "whether scheduled backups contain the attachment files; `off` where the object store itself is backed up",
  ),
  secret: optional(
    "SVC_SECRET",
    "key that signs cursors and share links",
    "made at first start, kept in the database",
    true,
  ),
  secretPrevious: optional(
    "SVC_SECRET_PREVIOUS",
    "the key before a change of `SVC_SECRET`: cursors, share links and webhook secrets made with it stay valid",
    "unset",
    true,
  ),
  adminEmail: optional(
    "SVC_ADMIN_EMAIL",
    "address of the first account, made at the start on an empty store; needs a password",
    "unset: a set-up link is printed",
  ),
  adminPassword: optional(
    "SVC_ADMIN_PASSWORD",
    "password of that account; not used once there is an account",
    "unset",
    true,
  ),
  trustProxy: proxies(
    "SVC_TRUST_PROXY",
    "`on` takes the caller's address and protocol from `X-Forwarded-*` as the proxy in front wrote it; a number: so many proxies stand in front",
  ),
  mcpOrigins: origins(
    "SVC_MCP_ORIGINS",
    "origins, separated by commas, whose pages may call `/mcp` beside our own and those on this machine",
  ),
  cacheBytes: optionalNumber(
    "SVC_CACHE_BYTES",
    "a quarter of the memory, shared by all workers, at most 100663296 each",
    0,
    1e12,
    "bytes that all caches of one process take together; 0 caches nothing",
  ),
  rateLimit: count("SVC_RATE_LIMIT", 3000, "requests per token (per address without one) in a window"),
  rateLimitWindowS: number("SVC_RATE_LIMIT_WINDOW_S", 60, 1, 86400, "length of the rate-limit window in seconds"),
  deviceTokenTtlDays: days("SVC_DEVICE_TOKEN_TTL_DAYS", 90, "lifetime of a token got by device login"),
  eventRetentionDays: days("SVC_EVENT_RETENTION_DAYS", 7, "how long events are kept"),
  maxEvents: count("SVC_MAX_EVENTS", 1_000_000, "events kept per workspace; beyond that the oldest go"),
  auditRetentionDays: days("SVC_AUDIT_RETENTION_DAYS", 400, "how long the audit log is kept"),
  maxImports: count("SVC_MAX_IMPORTS", 10, "imports per workspace that wait or run at once"),
  eventHeartbeatMs: number(
    "SVC_EVENT_HEARTBEAT_MS",
    15000,
    50,
    15000,
    "pause between heartbeats of an event stream; revocation takes effect within one",
  ),
  sseMaxConnectionsPerToken: count("SVC_SSE_MAX_CONNECTIONS_PER_TOKEN", 3, "event streams per token at once"),
  changeRetention: count("SVC_CHANGE_RETENTION", 1000, "change watermarks kept per document"),
  versionRetention: count("SVC_VERSION_RETENTION", 20, "version snapshots kept per document"),
  historyAllDays: days("SVC_HISTORY_ALL_DAYS", 1, "how long the history keeps every version of a document"),
  historyHourlyDays: days("SVC_HISTORY_HOURLY_DAYS", 7, "after that, how long it keeps one version an hour"),
  historyDailyDays: days(
    "SVC_HISTORY_DAILY_DAYS",
    365,
    "after that, how long it keeps one version a day; versions with a name stay for ever",
  ),
  historyPauseS: number("SVC_HISTORY_PAUSE_S", 600, 1, 86_400, "seconds without an edit that end an editing session"),
  historySessionS: number(
    "SVC_HISTORY_SESSION_S",
    3600,
    1,
    604_800,
    "seconds after which a long editing session begins another version",
  ),
  historyMaxVersions: count(
    "SVC_HISTORY_MAX_VERSIONS",
    2000,
    "versions without a name that the history of a document keeps; beyond that the oldest go",
  ),
  historyMaxNamed: count("SVC_HISTORY_MAX_NAMED", 200, "versions with a name per document"),
  historyMaxBytes: count(
    "SVC_HISTORY_MAX_BYTES",
    67_108_864,
    "bytes of text that only the history of a document needs; beyond that its oldest versions without a name go",
  ),
  trashRetentionDays: days(
    "SVC_TRASH_RETENTION_DAYS",
    30,
    "how long deleted documents and folders can be restored; 0 means gone at once",
    0,
  ),
  maxTrashDocuments: count(
    "SVC_MAX_TRASH_DOCUMENTS",
    100_000,
    "documents that the trash of a workspace keeps; beyond that, or beyond SVC_MAX_STORAGE_BYTES of files, the oldest go",
  ),
  maxDocumentCharacters: count("SVC_MAX_DOCUMENT_CHARACTERS", 2_000_000, "text characters of one body"),
  maxRequestBytes: number("SVC_MAX_REQUEST_BYTES", 16_777_216, 1024, 1_073_741_824, "one JSON request body"),
  importTimeoutS: number("SVC_IMPORT_TIMEOUT_S", 3600, 1, 86_400, "seconds that one attempt of an import may take"),
  maxAttachmentBytes: count("SVC_MAX_ATTACHMENT_BYTES", 52_428_800, "one upload"),
  maxKnowledgeBases: count("SVC_MAX_KNOWLEDGE_BASES", 100, "knowledge bases per workspace"),
  maxFolders: count("SVC_MAX_FOLDERS", 10_000, "folders per workspace"),
  maxDocuments: count("SVC_MAX_DOCUMENTS", 100_000, "documents per workspace"),
  maxPerOwner: count(
    "SVC_MAX_PER_OWNER",
    50_000,
    "concepts of a knowledge base, evidence and relations of a concept, stated relations and attachments of a document, groups of a workspace",
  ),
  maxStorageBytes: count("SVC_MAX_STORAGE_BYTES", 10_737_418_240, "attachment bytes per workspace"),
  maxWorkspacesPerUser: count("SVC_MAX_WORKSPACES_PER_USER", 20, "workspaces that one person may own"),
  maxTokensPerUser: count(
    "SVC_MAX_TOKENS_PER_USER",
    100,
    "tokens that work, per person and workspace; those of connected programs count",
  ),
  maxJobs: count(
    "SVC_MAX_JOBS",
    1000,
    "jobs of a kind (summaries, translations) per workspace that wait or run at once",
  ),
  maxAuditRows: count(
    "SVC_MAX_AUDIT_ROWS",
    1_000_000,
    "rows of the audit log per workspace; beyond that the oldest go",
  ),
  maxWebhooks: count("SVC_MAX_WEBHOOKS", 20, "webhooks per workspace"),
  remotePictures: oneOf(
    "SVC_REMOTE_PICTURES",
    ["on", "off"],
    "on",
    "whether pages show pictures of other hosts, which the server fetches once; `off`: only to readers who ask for one",
  ),
  fileText: oneOf(
    "SVC_FILE_TEXT",
    ["on", "off"],
    "on",
    "whether the text of uploaded files (PDF, Office, OpenDocument, HTML, plain text) is read, so that search finds it",
  ),
  webhookPrivateAddresses: ranges(
    "SVC_WEBHOOK_PRIVATE_ADDRESSES",
    "what webhooks and fetched pictures may reach beside public addresses: `on` (loopback and private networks) or ranges such as `10.1.0.0/16,fd00::/8`",
  ),
  webhookTimeoutMs: number("SVC_WEBHOOK_TIMEOUT_MS", 10_000, 50, 60_000, "how long a webhook's receiver may take"),
  webhookRetryMs: number(
    "SVC_WEBHOOK_RETRY_MS",
    5000,
    10,
    3_600_000,
    "wait after a webhook's first failed attempt; each further wait is three times as long, up to an hour",
  ),
  webhookGiveUpDays: days("SVC_WEBHOOK_GIVE_UP_DAYS", 1, "how long one delivery of a webhook is tried"),
  webhookDisableDays: days("SVC_WEBHOOK_DISABLE_DAYS", 3, "a webhook that fails for so long is disabled"),
  webhookLogDays: days("SVC_WEBHOOK_LOG_DAYS", 7, "how long ended deliveries of webhooks are listed"),
  translationDailyCharacters: count(
    "SVC_TRANSLATION_DAILY_CHARACTERS",
    500_000,
    "machine translation per workspace and UTC day",
  ),
  translationProvider: choice(
    "SVC_TRANSLATION_PROVIDER",
    ["openai", "libretranslate", "apertium"],
    "machine translation: `openai` (any compatible service), `libretranslate` or `apertium`; unset: jobs fail with `provider_not_configured`",
  ),
  translationUrl: url(
    "SVC_TRANSLATION_URL",
    ["http:", "https:"],
    "its base address; unset with `apertium`: the command of that name on this machine",
  ),
  translationApiKey: optional("SVC_TRANSLATION_API_KEY", "its key", "unset", true),
  translationModel: optional("SVC_TRANSLATION_MODEL", "its model, with `openai`"),
  translationPrice: number(
    "SVC_TRANSLATION_PRICE",
    0,
    0,
    1e6,
    "US dollars that a million characters cost, for the estimate that a translation job shows",
    false,
  ),
  modelUrl: url(
    "SVC_MODEL_URL",
    ["http:", "https:"],
    "OpenAI-compatible base address for summaries and answers to questions",
  ),
  modelApiKey: optional("SVC_MODEL_API_KEY", "its key", "unset", true),
  modelName: optional("SVC_MODEL_NAME", "its model"),
  askDailyTokens: count(
    "SVC_ASK_DAILY_TOKENS",
    1_000_000,
    "tokens that questions to the model may use per workspace and UTC day",
  ),
  askTimeoutMs: number(
    "SVC_ASK_TIMEOUT_MS",
    30_000,
    100,
    600_000,
    "how long a question waits for the model before the passages answer it",
  ),
  smtpUrl: url(
    "SVC_SMTP_URL",
    ["smtp:", "smtps:"],
    "mail server, `smtp://user:password@host:587`; unset: no mails are sent, and none are promised",
    "unset",
    true,
  ),
  mailFrom: mailbox("SVC_MAIL_FROM", "who mails are from, such as `Knowledge <svc@example.com>`"),
  oidcIssuer: issuers(
    "SVC_OIDC_ISSUER",
    "identity provider (OpenID Connect) through which people sign in; several are separated by spaces, and so are their ids and secrets, in the same order",
  ),
  oidcClientId: words("SVC_OIDC_CLIENT_ID", "what the provider calls this service"),
  oidcClientSecret: words(
    "SVC_OIDC_CLIENT_SECRET",
    "the secret that goes with it; unset: a public client, with PKCE alone",
    "unset",
    true,
  ),
  oidcName: names("SVC_OIDC_NAME", "what people know the provider as; several are separated by commas", "its host"),
  oidcScopes: words("SVC_OIDC_SCOPES", "what providers are asked for", "openid email profile"),
  oidcGroupsClaim: optional(
    "SVC_OIDC_GROUPS_CLAIM",
    "claim that lists the person's groups: they are put into groups of these names and taken out when the claim no longer has them; unset: groups are left alone",
  ),
  oidcNewAccounts: oneOf(
    "SVC_OIDC_NEW_ACCOUNTS",
    ["on", "off"],
    "on",
    "whether somebody without an account gets one by signing in through a provider; `off`: by invitation alone",
  ),
  oidcEmailDomains: words(
    "SVC_OIDC_EMAIL_DOMAINS",
    "domains of e-mail addresses that may come in through a provider, separated by spaces",
    "unset: all",
  ),
  oidcWorkspace: optional(
    "SVC_OIDC_WORKSPACE",
    "id or name of the workspace that such new accounts join, and whose groups follow the claim",
    "unset: one of their own",
  ),
  oidcRole: oneOf(
    "SVC_OIDC_ROLE",
    ["viewer", "editor", "owner"],
    "viewer",
    "their role there: `viewer`, `editor` or `owner`",
  ),
  passwordSignIn: oneOf(
    "SVC_PASSWORD_SIGN_IN",
    ["on", "off"],
    "on",
    "`off`: nobody signs in with a password; the way back is the one-time link of `svc users reset-password`",
  ),
  sessionIdleDays: days("SVC_SESSION_IDLE_DAYS", 14, "a session that is not used for so long ends"),
  sessionMaxDays: days("SVC_SESSION_MAX_DAYS", 30, "how long a session lasts at most"),
  metricsToken: optional("SVC_METRICS_TOKEN", "what `/metrics` asks for as a bearer token", "unset: none", true),
  metricsAddress: listenAddress(
    "SVC_METRICS_ADDRESS",
    "where `/metrics` listens, such as `127.0.0.1:9464`, in place of the service's own port",
  ),
  logLevel: oneOf(
    "SVC_LOG_LEVEL",
    ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    "info",
    "JSON lines on standard output; `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`",
  ),
} satisfies Record<string, Setting<unknown>>;

export type Config = { readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]["parse"]> };

type Environment = Record<string, string | undefined>;

/** The setting's text: from its variable, or for a secret from the file that `…_FILE` names. An empty one is unset. */
function textOf(setting: Setting<unknown>, env: Environment): string | undefined {
  const direct = env[setting.name]?.trim() || undefined;
  const file = setting.secret ? env[`${setting.name}_FILE`]?.trim() : undefined;
  if (!file) return direct;
  if (direct !== undefined) refuse("…", `either ${setting.name} or ${setting.name}_FILE, not both`);
  const read = readable(file);
  // The secret would be empty then, and anybody could forge what it signs.
  return read || refuse(file, `a readable file with the secret in it (${setting.name}_FILE)`);
}

function readable(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

const knownNames = new Set(Object.values(settings).flatMap((s) => (s.secret ? [s.name, `${s.name}_FILE`] : [s.name])));

/** Reads all settings. A wrong one throws with one line that names it, the given value and the allowed ones. */
export function readConfig(env: Environment): Config {
  const read = (setting: Setting<unknown>) => {
    try {
      return setting.parse(textOf(setting, env));
    } catch (error) {
      if (error instanceof SettingError) throw new Error(`Setting ${setting.name} ${error.message}.`);
      throw error;
    }
  };
  return Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, read(setting)])) as Config;
}

/** Variables that look like settings but are neither settings nor used by the svc command: probably typing errors. */
export const unknownSettings = (env: Environment): string[] =>
  Object.keys(env).filter(
    (name) => /^SVC_(?!TEST_|FORBID_SKIPS|URL$|TOKEN$|PROFILE$)/.test(name) && !knownNames.has(name),
  );
