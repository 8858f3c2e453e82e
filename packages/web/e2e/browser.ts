import { after, before, describe } from "node:test";
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
    const context = await this.#browser!.newContext({
      baseURL: this.world.url,
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(10_000);
    this.#contexts.push(context);
    return context.newPage();
  }
}

/** A suite that needs a browser; without one it is skipped, loudly. */
export function inBrowser(title: string, suite: (stage: Stage) => void, settings: Record<string, string> = {}): void {
  describe(title, requireChromium(), () => {
    const stage = new Stage(settings);
    before(() => stage.start());
    after(() => stage.stop());
    suite(stage);
  });
}
