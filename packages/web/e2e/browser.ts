import { after, before, describe } from "node:test";
import { defined } from "@svc/document/defined";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium, requireChromium } from "../../server/test/support/chromium.ts";
import { World } from "../../server/test/support/world.ts";

/** A server on an empty store and a real browser. */
export class Stage {
  readonly world: World;
  #browser: Browser | undefined;
  readonly #contexts: BrowserContext[] = [];

  constructor(settings: Record<string, string>) {
    this.world = new World("sqlite", settings);
  }

  async start(): Promise<void> {
    await this.world.start();
    this.#browser = await launchChromium();
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.world.stop();
  }

  /** A person of their own at a browser: no cookies shared with the others. Errors on a page fail the test. */
  async visitor(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await defined(this.#browser).newContext({
      baseURL: this.world.url,
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(30_000);
    this.#contexts.push(context);
    if (options.javaScriptEnabled !== false) context.on("page", awaitIslands);
    return context.newPage();
  }
}

/** Until the frame's script listens and the tree stands still; a page without that script is ready at once. */
export async function ready(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  const shell = 'script[src$="/islands/shell.js"]';
  await page.locator(`html[data-ready], html:not(:has(${shell}))`).waitFor({ state: "attached" });
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
    suite(stage);
  });
}
