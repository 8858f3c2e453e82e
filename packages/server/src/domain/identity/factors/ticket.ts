import type { Tx } from "../../../db/database.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";
import { seal, unseal } from "../../../mail/sealed.ts";

/** The action that a ticket permits. */
type TicketUse = "second-step" | "passkey" | "take-over" | "connect";

/**
 * Data that this server gives to a browser and expects back soon. It is sealed, so that nothing is stored for people
 * who have not proven anything yet, and tied to that browser.
 */
export interface Ticket<T> {
  readonly data: T;
  readonly hash: string;
  readonly expiresAt: number;
}

const LIFE_MS = 10 * 60_000;

export function newTicket(secret: ServerSecret, use: TicketUse, boundTo: string, data: unknown): string {
  return seal(secret, JSON.stringify({ data, boundTo, expiresAt: Date.now() + LIFE_MS }), `svc ticket ${use}`);
}

export function readTicket<T>(
  secret: ServerSecret,
  use: TicketUse,
  boundTo: string,
  text: string | null,
): Ticket<T> | undefined {
  const opened = unseal(secret, text ?? "", `svc ticket ${use}`);
  if (opened === undefined) return undefined;
  const { data, boundTo: whose, expiresAt } = JSON.parse(opened);
  if (whose !== boundTo || expiresAt <= Date.now()) return undefined;
  return { data, hash: hashSecret(text ?? ""), expiresAt };
}

/** Uses up a ticket: true for the first caller only, in any number of processes. */
export async function spendTicket(tx: Tx, { hash, expiresAt }: Ticket<unknown>): Promise<boolean> {
  const spent = await tx
    .insertInto("spent_tickets")
    .values({ ticket_hash: hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("ticket_hash").doNothing())
    .returning("ticket_hash")
    .executeTakeFirst();
  return spent !== undefined;
}
