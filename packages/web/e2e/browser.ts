import assert from "node:assert/strict";
import { after, afterEach, before, describe } from "node:test";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium, requireChromium } from "../../server/test/support/chromium.ts";
import { World } from "../../server/test/support/world.ts";

/** The browser of all stages of a process: starting one takes 1.5 s of processor time. It closes with the last stage. */
class SharedBrowser {
  #browser: Promise<Browser> | undefined;
  #stages = 0;

  addStage(): void {
    this.#stages++;
  }

  get(): Promise<Browser> {
    this.#browser ??= launchChromium();
    return this.#browser;
  }

  async endStage(): Promise<void> {
    if (--this.#stages > 0) return;
    await (await this.#browser)?.close();
    this.#browser = undefined;
  }
}

const shared = new SharedBrowser();

/** A server on an empty store and a real browser. */
export class Stage {
  readonly world: World;
  readonly #contexts: BrowserContext[] = [];
  readonly #errors: string[] = [];

  constructor(settings: Record<string, string>) {
    this.world = new World("sqlite", settings);
    shared.addStage();
  }

  start(): Promise<void> {
    return this.world.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#contexts.map((context) => context.close()));
    await this.world.stop();
    await shared.endStage();
  }

  /** A person of their own at a browser: no cookies shared with the others. Errors on a page fail the test. */
  async visitor(options: BrowserContextOptions = {}): Promise<Page> {
    const browser = await shared.get();
    const context = await browser.newContext({
      baseURL: this.world.url,
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(120_000);
    this.#contexts.push(context);
    context.on("weberror", (error) => this.#errors.push(String(error.error())));
    if (options.javaScriptEnabled !== false) context.on("page", awaitIslands);
    return context.newPage();
  }

  /** Uncaught errors of scripts, and open pages that a script left without their frame, since the last call. */
  async takeProblems(): Promise<string[]> {
    const pages = this.#contexts.flatMap((context) => context.pages());
    const broken = await Promise.all(pages.map(brokenFrame));
    return [...this.#errors.splice(0), ...broken.flat()];
  }
}

/** Every page for members has it; public pages have a frame of their own. */
const FRAME_SCRIPT = 'script[src$="/islands/shell.js"]';

/** Lists the missing parts of a page's frame. A page that is leaving or closed has no frame to look at. */
async function brokenFrame(page: Page): Promise<string[]> {
  const lost = page.evaluate<
    string[]
  >(`document.readyState !== "complete" || document.contentType !== "text/html" || location.protocol === "about:" ? [] : [
    ["its stylesheet", document.styleSheets.length > 0],
    ["its main part", !document.querySelector(${JSON.stringify(FRAME_SCRIPT)}) || document.getElementById("main") !== null],
    ["its sidebar", !document.body.classList.contains("has-side") || document.getElementById("side") !== null],
  ].flatMap(([part, isThere]) => isThere ? [] : [part])`);
  return (await lost.catch(() => [])).map((part) => `${page.url()} lost ${part}`);
}

/** Until the frame's script listens and the tree stands still; a page without that script is ready at once. */
export async function ready(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.locator(`html[data-shell-ready], html:not(:has(${FRAME_SCRIPT}))`).waitFor({ state: "attached" });
}

/** Every address that a test opens is ready when it goes on; after a click the test says `ready` itself. */
function awaitIslands(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    await ready(page);
    return response;
  };
}

/**
 * Stops the clock of what a page opens from now on, its timers run on. However slow the machine is, one types there
 * without a pause, and undo takes back at once what was typed so. `page.clock.resume()` starts it again.
 */
export const stopClock = (page: Page): Promise<void> => page.clock.setFixedTime(Date.now());

/** A suite that needs a browser; without one it is skipped, loudly. */
export function inBrowser(title: string, suite: (stage: Stage) => void, settings: Record<string, string> = {}): void {
  describe(title, requireChromium(), () => {
    const stage = new Stage(settings);
    before(() => stage.start());
    after(() => stage.stop());
    afterEach(async () => assert.deepEqual(await stage.takeProblems(), []));
    suite(stage);
  });
}
