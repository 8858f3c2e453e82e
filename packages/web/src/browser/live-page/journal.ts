import type { Journal } from "@svc/live/session";
import { keep, keptKeys, readKept, removeKept } from "./kept.ts";
import { newUlid } from "./new-id.ts";

/** How long other tabs may take to claim a journal in browsers without locks (no HTTPS). */
const ANSWER_MS = 400;

const held = new Set<string>();
let channel: BroadcastChannel | undefined;

/** Answers tabs that ask for this tab's journal. */
function listen(): BroadcastChannel {
  const made = new BroadcastChannel("svc-journals");
  made.addEventListener("message", ({ data }) => {
    if (held.has(data.wanted)) made.postMessage({ taken: data.wanted });
  });
  return made;
}

async function ask(name: string): Promise<boolean> {
  channel ??= listen();
  const port = channel;
  const answered = new AbortController();
  const isFree = await new Promise<boolean>((resolve) => {
    const hear = ({ data }: MessageEvent) => {
      if (data.taken === name) resolve(false);
    };
    port.addEventListener("message", hear, answered);
    setTimeout(() => resolve(true), ANSWER_MS);
    port.postMessage({ wanted: name });
  });
  answered.abort();
  if (isFree) held.add(name);
  return isFree;
}

/** Locks a name until the tab closes; false if another tab holds it. Two tabs writing as one would lose text. */
const hold = (name: string): Promise<boolean> =>
  navigator.locks
    ? new Promise((resolve) => {
        void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
          resolve(lock !== null);
          return lock ? new Promise(() => undefined) : undefined;
        });
      })
    : ask(name);

/** Edits that a tab keeps on the device until the server has them. */
interface OwnJournal {
  /** Unstored edits of a closed tab, which this tab continues with. */
  readonly found: Journal | undefined;
  /** Journals of further closed tabs, one after the other; each is deleted once it was merged. */
  readonly others: (takeIn: (journal: Journal) => Promise<unknown>) => Promise<void>;
  readonly write: (journal: Journal) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

/** Opens this tab's own journal and takes over those of closed tabs, never those of open ones. */
export async function openJournal(place: string): Promise<OwnJournal> {
  const left: string[] = [];
  for (const key of await keptKeys(place)) if (await hold(key)) left.push(key);
  const [first, ...more] = left;
  const own = first ?? `${place}:${newUlid()}`;
  // Nobody else knows the new name.
  if (first === undefined) void hold(own);
  return {
    found: first === undefined ? undefined : await readKept<Journal>(first),
    others: async (takeIn) => {
      for (const key of more) {
        const journal = await readKept<Journal>(key);
        if (journal) await takeIn(journal);
        await removeKept(key);
      }
    },
    write: (journal) => keep(own, journal),
    remove: () => removeKept(own),
  };
}
