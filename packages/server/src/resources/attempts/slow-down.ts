import type { Database, Tx } from "../../db/database.ts";
import { hashSecret } from "../../http/callers/authenticate.ts";
import { addressSubject } from "../../http/limits/limit-addresses.ts";
import { MINUTE_MS } from "../../time.ts";

/** Whom wrong tries are counted for, how many are free, and how long the wait can grow. */
export interface Subject {
  readonly key: string;
  readonly free: number;
  readonly longestMs: number;
}

const MEMORY_MS = 60 * MINUTE_MS;

/** No wait for an email is longer, wherever the wrong tries come from. */
const LONGEST_EMAIL_MS = MINUTE_MS;

/** Facts about an attempt to sign in: the address, and whether it signed in to this account before. */
interface SignInTry {
  readonly email: string;
  readonly address: string;
  /** This browser's own mark, when it has signed in to the account before. */
  readonly browser?: string | undefined;
  readonly isKnownAddress?: boolean | undefined;
}

/**
 * Guessing one password from one place is stopped soon. Counting per address and per account alone catches guesses
 * that are spread out; those are patient, because one address may be a whole office. A stranger's wrong tries must not
 * lock an owner out: a browser that has signed in before is counted by itself alone, and an address from which the
 * account has been used does not wait for what others tried elsewhere.
 */
export function signInSubjects({ email, address, browser, isKnownAddress }: SignInTry): Subject[] {
  if (browser !== undefined)
    return [{ key: `browser:${hashSecret(`${email}\n${browser}`)}`, free: 5, longestMs: LONGEST_EMAIL_MS }];
  const place = addressSubject(address);
  const pair = { key: `pair:${hashSecret(`${email}\n${place}`)}`, free: 5, longestMs: LONGEST_EMAIL_MS };
  const account = { key: `email:${hashSecret(email)}`, free: 30, longestMs: LONGEST_EMAIL_MS / 2 };
  return [pair, ...(isKnownAddress ? [] : [account]), ...addressSubjects(address)];
}

/** For forms that anybody may send and that name no account of theirs. */
export const addressSubjects = (address: string): Subject[] => [
  { key: addressSubject(address), free: 60, longestMs: MINUTE_MS },
];

/** A signed-in person who has to give their password again: nobody else's tries count. */
export const sessionSubjects = (sessionId: string): Subject[] => [
  { key: `session:${sessionId}`, free: 5, longestMs: 15 * MINUTE_MS },
];

/** A visitor who gives the password of a public link. */
export const shareSubjects = (tokenHash: string, address: string): Subject[] => [
  { key: `share-pair:${hashSecret(`${tokenHash}\n${addressSubject(address)}`)}`, free: 5, longestMs: MINUTE_MS },
  { key: `share:${tokenHash}`, free: 30, longestMs: MINUTE_MS / 2 },
  ...addressSubjects(address),
];

/** Codes of a person's second factor: who gets so far knows the password already. */
export const factorSubjects = (userId: string): Subject[] => [
  { key: `factor:${userId}`, free: 5, longestMs: 15 * MINUTE_MS },
];

export const codeSubjects = (userId: string): Subject[] => [
  { key: `device:${userId}`, free: 10, longestMs: 15 * MINUTE_MS },
];

/**
 * Counts a try before it is made, so that many at once count as many, in any number of processes. Returns how many
 * milliseconds the caller has to wait first; 0 lets the try through.
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

/** No wait is longer than the longest: one that seems to be was set before the clock was put back. */
const waitOf = ({ longestMs }: Subject, ms: number): number => (ms > longestMs ? 0 : ms);

/** The attempt was right: the counts of its account and place are reset, its address gets only this attempt back. */
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

/** Everyone locks in the same order, so that nobody waits in a circle. */
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
