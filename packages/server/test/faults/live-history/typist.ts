import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import type { Journal, LiveSession } from "@svc/live/session";
import type { Random } from "@svc/live/testing/random";
import { newBlockId } from "@svc/server/ids";
import { openEditor, type Seat } from "../../support/live-editor.ts";
import { Author, type Word } from "./words.ts";

interface TypistOptions {
  readonly name: string;
  readonly seats: readonly Seat[];
  readonly random: Random;
}

/** Milliseconds between two keys at most. */
const SLOWEST_KEY = 250;

const textOf = ({ content = [] }: Node): string => content.map(({ text = "" }) => text).join("");

/**
 * Types words into lines that others type into too, each behind the own word before it, as a caret does. Takes words out
 * again, makes and moves lines, reloads the tab with or without what it kept, comes back at another process.
 */
export class Typist {
  readonly author: Author;
  readonly #options: TypistOptions;
  #session: LiveSession | undefined;
  #seat: Seat;
  #isOver = false;
  #isAbandoned = false;
  #work: Promise<void> | undefined;
  /** Words typed or taken out that the service has not acknowledged. */
  #open: Word[] = [];
  #line: string | undefined;
  stored = 0;

  constructor(options: TypistOptions) {
    this.#options = options;
    this.author = new Author(options.name);
    this.#seat = defined(options.seats[0]);
  }

  get session(): LiveSession {
    return defined(this.#session);
  }

  get cookie(): string {
    return this.#seat.cookie;
  }

  async start(): Promise<void> {
    await this.#openTab();
    this.#work = this.#type();
  }

  /** Types no more; everything that was typed is sent until it is stored. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  /** Waits for nothing. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
    this.#session?.close();
  }

  async #type(): Promise<void> {
    const { random } = this.#options;
    while (!this.#isOver) {
      if (random.chance(0.01)) await this.#reload();
      else this.#key();
      await sleep(random.below(SLOWEST_KEY));
    }
  }

  async #openTab(journal?: Journal): Promise<void> {
    const { random, seats } = this.#options;
    while (!this.#isAbandoned) {
      this.#seat = random.pick(seats);
      try {
        this.#session = await openEditor(this.#seat, { journal, onStatus: () => this.#acknowledge() });
        return;
      } catch {
        // The process or the network is away.
        await sleep(100);
      }
    }
  }

  #acknowledge(): void {
    if (!this.#session?.isStored) return;
    this.stored += this.#open.length;
    this.#open = [];
  }

  /** The tab is closed and opened again, on the same device or on another one, which has nothing of it. */
  async #reload(): Promise<void> {
    const journal = this.#options.random.chance(0.5) ? this.session.toJournal() : undefined;
    this.session.close();
    if (!journal) for (const word of this.#open.splice(0)) word.isOpen = true;
    await this.#openTab(journal);
  }

  #key(): void {
    const { live } = this.session;
    const { random } = this.#options;
    if (this.session.status.kind === "connecting") return;
    const kind = random.below(40);
    if (kind === 0) this.#newLine();
    else if (kind === 1) live.move(random.pick(live.order), live.lastKey());
    else if (kind < 4) this.#takeOut();
    else this.#write();
  }

  #newLine(): void {
    const { live } = this.session;
    const word = this.author.next(this.#seat.documentId);
    this.#open.push(word);
    const block = { ...p(`${word.text} `), attrs: { id: newBlockId() } };
    this.#line = idOf(block);
    live.insert(block, live.lastKey());
  }

  #write(): void {
    const { random } = this.#options;
    const { live } = this.session;
    if (this.#line === undefined || !live.has(this.#line) || random.chance(0.2)) this.#line = random.pick(live.order);
    const block = defined(live.node(this.#line));
    const line = textOf(block);
    const words = line.split(" ").filter((text) => text !== "");
    const own = words.findLastIndex((text) => this.author.wrote(text));
    const word = this.author.next(this.#seat.documentId);
    this.#open.push(word);
    const at = own >= 0 ? own + 1 : random.below(words.length + 1);
    this.#put(block, words.toSpliced(at, 0, word.text));
  }

  /** Takes the own word behind which the caret stands out again. */
  #takeOut(): void {
    const { live } = this.session;
    const block = this.#line === undefined ? undefined : live.node(this.#line);
    if (!block) return;
    const words = textOf(block).split(" ");
    const at = words.findLastIndex((text) => this.author.wrote(text));
    const word = this.author.words.find(({ text }) => text === words[at]);
    if (!word || word.isOpen) return;
    word.isGone = true;
    this.#open.push(word);
    this.#put(
      block,
      words.toSpliced(at, 1).filter((text) => text !== ""),
    );
  }

  #put(block: Node, words: readonly string[]): void {
    const text = words.map((word) => `${word} `).join("");
    this.session.live.patch({ ...block, content: text === "" ? [] : [{ type: "text", text }] });
  }
}
