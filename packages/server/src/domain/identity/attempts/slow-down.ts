import type { Database, Tx } from "../../../db/database.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { addressSubject } from "../../../http/limits/limit-addresses.ts";
import { MINUTE_MS } from "../../../time.ts";

/** The key that failed attempts are counted under, how many are free, and how long the delay can grow. */
export interface Subject {
  readonly key: string;
  readonly free: number;
  readonly longestMs: number;
}

const MEMORY_MS = 60 * MINUTE_MS;

/** Maximum delay for an email, wherever the failed attempts come from. */
const LONGEST_EMAIL_MS = MINUTE_MS;

/** An attempt to sign in: its address, and whether the account was used from there before. */
interface SignInTry {
  readonly email: string;
  readonly address: string;
  /** The browser's mark, if it has signed in to the account before. */
  readonly browser?: string | undefined;
  readonly isKnownAddress?: boolean | undefined;
}

/**
 * Guessing one account from one address is stopped soon. The limits per address and per account catch distributed
 * guessing; they are lenient, because one address may be a whole office. A stranger's failed attempts must not lock out
 * the owner: a browser that has signed in before has its own count, and an address from which the account has been used
 * is not delayed by attempts from elsewhere.
 */
export function signInSubjects({ email, address, browser, isKnownAddress }: SignInTry): Subject[] {
  if (browser !== undefined)
    return [{ key: `browser:${hashSecret(`${email}\n${browser}`)}`, free: 5, longestMs: LONGEST_EMAIL_MS }];
  const location = addressSubject(address);
  const pair = { key: `pair:${hashSecret(`${email}\n${location}`)}`, free: 5, longestMs: LONGEST_EMAIL_MS };
  const account = { key: `email:${hashSecret(email)}`, free: 30, longestMs: LONGEST_EMAIL_MS / 2 };
  return [pair, ...(isKnownAddress ? [] : [account]), ...addressSubjects(address)];
}

/** For public forms that name no account. */
export const addressSubjects = (address: string): Subject[] => [
  { key: addressSubject(address), free: 60, longestMs: MINUTE_MS },
];

/** For signed-in people who re-enter their password: other people's attempts do not count. */
export const sessionSubjects = (sessionId: string): Subject[] => [
  { key: `session:${sessionId}`, free: 5, longestMs: 15 * MINUTE_MS },
];

/** For visitors who enter the password of a public link. */
export const shareSubjects = (tokenHash: string, address: string): Subject[] => [
  { key: `share-pair:${hashSecret(`${tokenHash}\n${addressSubject(address)}`)}`, free: 5, longestMs: MINUTE_MS },
  { key: `share:${tokenHash}`, free: 30, longestMs: MINUTE_MS / 2 },
  ...addressSubjects(address),
];

/** For codes of a second factor: the person already knows the password. */
export const factorSubjects = (userId: string): Subject[] => [
  { key: `factor:${userId}`, free: 5, longestMs: 15 * MINUTE_MS },
];

export const codeSubjects = (userId: string): Subject[] => [
  { key: `device:${userId}`, free: 10, longestMs: 15 * MINUTE_MS },
];

/**
 * Counts an attempt before it is made, so that concurrent attempts all count, in any number of processes. Returns the
 * delay in milliseconds; 0 admits the attempt.
 */
export const admit = (database: Database, subjects: readonly Subject[], now: number): Promise<number> =>
  database.transaction(async (tx) => {
    const counted = [];
    for (const subject of inOrder(subjects)) counted.push({ subject, row: await lockAttempts(tx, subject.key) });
    const wait = Math.max(...counted.map(({ subject, row }) => waitOf(subject, row.free_at - now)), 0);
    if (wait > 0) return wait;
    for (const { subject, row } of counted)
      await updateAttempts(tx, subject, row.forgotten_at <= now ? 1 : row.failures + 1, now);
    await tx.deleteFrom("attempts").where("forgotten_at", "<", now).execute();
    return 0;
  });

/** Ignores a delay longer than the maximum: it was set before the clock was put back. */
const waitOf = ({ longestMs }: Subject, ms: number): number => (ms > longestMs ? 0 : ms);

/** The attempt succeeded: resets the counts of its account and location; its address only gets this attempt back. */
export const forgive = (database: Database, subjects: readonly Subject[]): Promise<void> =>
  database.transaction(async (tx) => {
    for (const { key } of inOrder(subjects)) {
      if (!key.startsWith("address:")) await tx.deleteFrom("attempts").where("subject", "=", key).execute();
      else
        await tx
          .updateTable("attempts")
          .set((eb) => ({ failures: eb("failures", "-", 1), free_at: 0 }))
          .where("subject", "=", key)
          .where("failures", ">", 0)
          .execute();
    }
  });

/** A fixed order of locks prevents deadlocks. */
const inOrder = (subjects: readonly Subject[]): Subject[] =>
  subjects.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));

export const lockAttempts = (tx: Tx, subject: string) =>
  tx
    .insertInto("attempts")
    .values({ subject, failures: 0, free_at: 0, forgotten_at: 0 })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet((eb) => ({ subject: eb.ref("excluded.subject") })))
    .returningAll()
    .executeTakeFirstOrThrow();

async function updateAttempts(tx: Tx, { key, free, longestMs }: Subject, failures: number, now: number): Promise<void> {
  const wait = failures < free ? 0 : Math.min(longestMs, 1000 * 2 ** (failures - free));
  await tx
    .updateTable("attempts")
    .set({ failures, free_at: wait && now + wait, forgotten_at: now + MEMORY_MS })
    .where("subject", "=", key)
    .execute();
}
