import type { NotificationReason, NotificationSettingsRow } from "../db/schema/tables/discussion.ts";

/** Every reason for a notification, in the order in which settings list them. */
export const reasons = [
  "mention",
  "reply",
  "comment",
  "suggestion",
  "decision",
  "share",
  "invitation",
  "security",
  "watch",
] as const satisfies readonly NotificationReason[];

export const mailChoices = ["off", "at_once", "daily"] as const;

/** How a person wants to be notified for one reason. */
interface KindSettings {
  readonly page: boolean;
  readonly email: (typeof mailChoices)[number];
  readonly webhook: boolean;
}

type AllKinds = Readonly<Record<NotificationReason, KindSettings>>;

const everyWay: KindSettings = { page: true, email: "at_once", webhook: true };

/** The defaults: news meant for the person is sent at once, news about watched pages once a day. */
const defaults: AllKinds = {
  mention: everyWay,
  reply: everyWay,
  comment: everyWay,
  suggestion: everyWay,
  decision: everyWay,
  share: everyWay,
  invitation: everyWay,
  security: everyWay,
  watch: { ...everyWay, email: "daily" },
};

type Changed = { readonly [R in NotificationReason]?: Partial<KindSettings> | undefined };

/** Merges changes into settings; unnamed ones stay. */
export const withChanges = (kinds: AllKinds, changes: Changed): AllKinds =>
  Object.fromEntries(
    reasons.map((reason) => [reason, { ...kinds[reason], ...changes[reason] }]),
  ) as unknown as AllKinds;

/** Parses a row; without one, returns the defaults. */
export const kindsOf = (row: Pick<NotificationSettingsRow, "kinds"> | undefined): AllKinds =>
  row ? withChanges(defaults, JSON.parse(row.kinds)) : defaults;
