import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, describe } from "node:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { requirePeer } from "../../server/test/support/peers/peer.ts";
import { World } from "../../server/test/support/world.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const executablePath = findChromium();
const peer = requirePeer("chromium", () => (executablePath ? true : NAMES.join(", ")));

/** Root may not use the sandbox; in tests the browser opens our own pages only. */
export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath!, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });

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
    this.#browser = await launch();
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
  describe(title, peer, () => {
    const stage = new Stage(settings);
    before(() => stage.start());
    after(() => stage.stop());
    suite(stage);
  });
}
