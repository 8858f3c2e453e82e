import { defined } from "@svc/document/defined";
import type { Random } from "../corpus/text.ts";
import type { SoakSite } from "./site.ts";
import type { Latencies } from "./watch.ts";

/** A document and every text that it may have now: one, or two after a write that nobody answered. */
export interface Page {
  readonly id: string;
  /** The marks in it, in order. */
  marks: readonly string[];
  version: string | undefined;
  isGone: boolean;
  isBusy: boolean;
  /** The page's text if the unanswered write took effect; the load leaves the page alone. */
  doubt?: { readonly marks?: readonly string[]; readonly isGone?: boolean };
}

const MARK = /\bmark\d+n\b/g;

export const marksIn = (text: string): string[] => text.match(MARK) ?? [];

/** Records the answers that clients received. Each text carries its own marks, and each mark is used once. */
export class Ledger {
  readonly pages: Page[] = [];
  readonly comments: { readonly page: string; readonly mark: string }[] = [];
  #marks = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  newMark(): string {
    return `mark${this.#marks++}n`;
  }

  created(id: string, marks: readonly string[], version: string | undefined): void {
    this.pages.push({ id, marks, version, isGone: false, isBusy: false });
  }

  /** Works with one of the known pages, alone. */
  async withPage(work: (page: Page) => Promise<void>): Promise<void> {
    const free = this.pages.filter((page) => !page.isBusy && !page.isGone && !page.doubt);
    const page = free[this.#random(Math.max(1, free.length))];
    if (!page) return;
    page.isBusy = true;
    await work(page).finally(() => {
      page.isBusy = false;
    });
  }

  /** Any page that is there, to be read. */
  any(): Page | undefined {
    const there = this.pages.filter((page) => !page.isGone && !page.doubt?.isGone);
    return there[this.#random(Math.max(1, there.length))];
  }

  /** Takes over what a write has made of a page; nobody knows when there was no answer. */
  wrote(page: Page, answer: Answer | undefined, marks: readonly string[]): void {
    if (!answer) page.doubt = { marks };
    else {
      page.marks = marks;
      page.version = answer.version ?? page.version;
    }
  }

  /** Finds errors in a page as it is read at the end. */
  problemOf(page: Page, answer: Answer): string | undefined {
    if (answer.status === 404) return page.isGone || page.doubt?.isGone ? undefined : `${page.id} is lost`;
    if (page.isGone) return `${page.id} is back`;
    const found = marksIn(answer.text).join(" ");
    const allowed = [page.marks, page.doubt?.marks].filter((marks) => marks !== undefined);
    if (allowed.some((marks) => marks.join(" ") === found)) return undefined;
    return `${page.id} has ${found}, expected was ${defined(allowed[0]).join(" ")}`;
  }
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  readonly data: any;
  readonly text: string;
  readonly version: string | undefined;
}

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are right beside those of success. */
  readonly allowed?: readonly number[];
  /** The process that is asked; in turns unless named. */
  readonly process?: 0 | 1;
}

/** After so long a client believes that its server is gone. */
const PATIENCE_MS = 60_000;

/** Calls either process, notes how long each answer took, and every answer that no fault excuses. */
export class Caller {
  readonly #site: SoakSite;
  readonly #latencies: Latencies;
  readonly wrong: string[] = [];
  acknowledged = 0;
  unanswered = 0;
  #turn = 0;

  constructor(site: SoakSite, latencies: Latencies) {
    this.#site = site;
    this.#latencies = latencies;
  }

  get token(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#site.token}` };
  }

  /** The answer; undefined when there was none, or a 503: then nobody knows whether it happened. */
  async call(kind: string, path: string, asked: Asked = {}): Promise<Answer | undefined> {
    const { method = "GET", body, allowed = [] } = asked;
    const which = asked.process ?? (this.#turn++ % 2 === 0 ? 0 : 1);
    const began = performance.now();
    try {
      const reply = await fetch(`${this.#site.address(which)}${path}`, {
        method,
        headers: {
          ...this.token,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...asked.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
        redirect: "manual",
      });
      const text = await reply.text();
      if (reply.status === 503) throw new TypeError("not now");
      this.#latencies.note(kind, performance.now() - began);
      if (reply.status >= 300 && !allowed.includes(reply.status))
        this.wrong.push(`${kind}: ${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
      else if (method !== "GET") this.acknowledged++;
      const isJson = reply.headers.get("content-type")?.includes("json") && text !== "";
      const version = reply.headers.get("etag")?.replace(/^"|"$/g, "");
      return { status: reply.status, text, version, data: isJson ? JSON.parse(text).data : undefined };
    } catch (error) {
      // A refused or broken connection, or one that took too long; anything else is an error of this program.
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
      this.unanswered++;
      return undefined;
    }
  }
}
