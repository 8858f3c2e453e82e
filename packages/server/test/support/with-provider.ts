import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { type Known, TestProvider } from "./identity-provider.ts";
import type { Visitor } from "./visitor.ts";
import { databases, World } from "./world.ts";

export const START = "/sign-in/oidc/1";

let count = 0;
export const knownPerson = (more: Partial<Known> = {}): Known => {
  const name = `person${++count}`;
  return { sub: `sub-${name}`, email: `${name}@example.com`, email_verified: true, name, ...more };
};

/** A server whose people sign in at a real provider, on each database. */
export function withProvider(
  title: string,
  suite: (world: World, provider: TestProvider) => void,
  more: Record<string, string> = {},
): void {
  for (const kind of databases)
    describe(`${title} [${kind}]`, () => {
      const provider = new TestProvider();
      const settings: Record<string, string> = { ...more };
      const world = new World(kind, settings);
      before(async () => {
        await provider.listen();
        Object.assign(settings, provider.settings, more);
        await world.start();
        provider.register(`${world.url}${START}/callback`);
      });
      after(async () => {
        await world.stop();
        await provider.close();
      });
      suite(world, provider);
    });
}

/** Goes to the provider and back, as a browser would. */
export async function goThrough(provider: TestProvider, browser: Visitor, person: Known | undefined, start = START) {
  provider.person = person;
  const away = await browser.fetch(start);
  assert.equal(away.status, 303, await away.text());
  const back = await provider.visit(away.headers.get("location") ?? "");
  return browser.fetch(back.slice(browser.url.length));
}

export const isIn = async (browser: Visitor) => (await browser.fetch("/account")).status === 200;
