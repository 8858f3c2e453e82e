import { type Answer, listAll, type Notification, setWatching, type Watched } from "@svc/sdk";
import { type Command, Option } from "commander";
import { type Place, resolvePlace } from "../address/resolve.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, SWITCH, withServer } from "../options.ts";
import { counted, print, shownTime, table } from "../output.ts";

interface ListOptions extends ServerOptions {
  readonly all?: boolean;
}

async function list(options: ListOptions): Promise<void> {
  const query = options.all ? {} : { unread: true };
  const notifications = await Array.fromAsync(listAll(connect(options), "/notifications", { query }));
  const none = options.all ? "No notifications." : "No unread notifications.";
  print(options, { notifications }, notifications.length === 0 ? [none] : shownList(notifications));
}

const shownList = (notifications: readonly Notification[]): string[] =>
  table(
    ["ID", "REASON", "BY", "ABOUT", "AT", "READ", ""],
    notifications.map((one) => [
      ...[one.id, one.reason, one.actor.name, one.document_title ?? one.knowledge_base_name ?? "-"],
      ...[
        shownTime(one.created_at),
        one.read_at === null ? "no" : "yes",
        one.excerpt.replace(/\s+/g, " ").slice(0, 80),
      ],
    ]),
  );

interface ReadOptions extends ServerOptions {
  readonly all?: boolean;
}

async function markRead(ids: readonly string[], options: ReadOptions): Promise<void> {
  if (ids.length > 0 === (options.all === true))
    throw usage("Name notifications, or all of them with --all.", "svc notifications");
  const body = options.all ? { before: Date.now() } : { ids: [...ids] };
  const { data } = await connect(options).post("/notifications/read", { body });
  print(options, data, [`${counted(data.read, "notification")} marked as read.`]);
}

const watchedOf = (place: Place): Watched => {
  if (place.kind === "document") return { kind: place.kind, id: place.id };
  return { kind: place.kind, id: place.kind === "folder" ? place.folder.id : place.knowledgeBase.id };
};

const watching = (isWatching: boolean) => async (address: string, options: ServerOptions) => {
  const client = connect(options);
  const place = await resolvePlace(client, address, "document", "folder", "knowledge_base");
  const data = await setWatching(client, watchedOf(place), isWatching);
  print(options, data, [isWatching ? "You watch it." : "You do not watch it."]);
};

type Settings = Answer<"/notifications/settings">["data"];
const KINDS = [
  "mention",
  "reply",
  "comment",
  "suggestion",
  "decision",
  "share",
  "invitation",
  "security",
  "watch",
] as const satisfies readonly (keyof Settings["kinds"])[];

interface SettingsOptions extends ServerOptions {
  readonly kind?: (typeof KINDS)[number];
  readonly page?: (typeof SWITCH)[number];
  readonly email?: "off" | "at_once" | "daily";
  readonly webhook?: (typeof SWITCH)[number];
  readonly webhookUrl?: string;
}

async function settings(options: SettingsOptions): Promise<void> {
  const client = connect(options);
  const { kind, page, email, webhook, webhookUrl } = options;
  const change = {
    ...(page && { page: page === "on" }),
    ...(email && { email }),
    ...(webhook && { webhook: webhook === "on" }),
  };
  const isKindChanged = Object.keys(change).length > 0;
  if (isKindChanged !== (kind !== undefined))
    throw usage("--kind goes with what is to change: --page, --email or --webhook.", "svc notifications settings");
  const body = {
    ...(kind && { kinds: { [kind]: change } }),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl === "" ? null : webhookUrl }),
  };
  const { data } =
    Object.keys(body).length === 0
      ? await client.get("/notifications/settings")
      : await client.patch("/notifications/settings", { body });
  print(options, data, shownSettings(data));
}

const shownSettings = (data: Settings): string[] => [
  ...table(
    ["KIND", "PAGE", "EMAIL", "WEBHOOK"],
    KINDS.map((kind) => {
      const { page, email, webhook } = data.kinds[kind];
      return [kind, page ? "on" : "off", email, webhook ? "on" : "off"];
    }),
  ),
  ...(data.webhook_url ? [`Webhook: ${data.webhook_url}`] : []),
  ...(data.mail ? [] : ["This server sends no mails."]),
];

export function define(notifications: Command): void {
  const PLACE = ["<place>", "path or id of a document, a folder or a knowledge base"] as const;
  withServer(notifications.command("list", { isDefault: true }))
    .description("what you should know of and have not read (also plain svc notifications)")
    .option("--all", "those that you have read too")
    .action(list);
  withServer(notifications.command("read"))
    .description("mark notifications as read")
    .argument("[notification ids...]", "ntf_…")
    .option("--all", "all that came up to now")
    .action(markRead);
  withServer(notifications.command("watch"))
    .description("hear of changes, comments and suggestions there")
    .argument(...PLACE)
    .action(watching(true));
  withServer(notifications.command("unwatch"))
    .description("hear of them no longer")
    .argument(...PLACE)
    .action(watching(false));
  withServer(notifications.command("settings"))
    .description("how you are notified of each kind of event, and change it")
    .addOption(new Option("--kind <kind>", "what to change").choices(KINDS))
    .addOption(new Option("--page <switch>", "in the list and in the browser").choices(SWITCH))
    .addOption(new Option("--email <when>", "by mail").choices(["off", "at_once", "daily"]))
    .addOption(new Option("--webhook <switch>", "by your own webhook").choices(SWITCH))
    .option("--webhook-url <url>", "your own webhook; an empty text ends it")
    .action(settings);
}
