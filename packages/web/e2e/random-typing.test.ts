import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import type { Page } from "playwright-core";
import { readNodes } from "../../server/test/support/bodies.ts";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";

const STEPS = Number(process.env.SVC_TEST_STEPS ?? 40);
const SEED = Number(process.env.SVC_TEST_SEED ?? 1);
const SURFACE = ".ProseMirror";

const TEXT = `# Plans

First line with **bold** words and a [link](https://example.com/).

- One
  - Inner
- Two

1. First
2. Second

- [ ] Task
- [x] Done

| Name | Age |
| --- | --- |
| Ada | 36 |
| Bob | 41 |

> [!NOTE]
> A note.

\`\`\`ts
const a = 1;
\`\`\`

> A quote.

$$
a^2
$$

Last line.
`;

/** Numbers that look random and are the same for the same seed. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const KEYS = [
  "Enter",
  "Enter",
  "Enter",
  "Backspace",
  "Backspace",
  "Backspace",
  "Delete",
  "Tab",
  "Shift+Tab",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
  "Shift+ArrowDown",
  "Shift+ArrowUp",
  "Shift+ArrowRight",
  "Shift+End",
  "Shift+Home",
  "Control+ArrowLeft",
  "Control+Backspace",
  "Control+b",
  "Control+i",
  "Control+z",
  "Control+z",
  "Control+y",
  "Control+Shift+z",
  "Alt+ArrowUp",
  "Alt+ArrowDown",
  "Shift+Enter",
  "Escape",
  "Control+x",
  "Control+c",
  "Control+v",
  "Control+v",
  "Control+Home",
  "Control+End",
  "Control+Shift+8",
  "Control+Shift+7",
  "Control+Alt+2",
  "Control+Alt+0",
  "Control+d",
  "Control+e",
];
const WORDS = [
  "word ",
  "two words ",
  "a",
  "é漢字 ",
  "- ",
  "1. ",
  "# ",
  "## ",
  "> ",
  "[ ] ",
  "```",
  "**bold** ",
  "`code` ",
  "$x^2$ ",
  "---",
  "https://example.com/a ",
  "😀",
  "~~gone~~ ",
];

async function act(page: Page, random: (below: number) => number): Promise<void> {
  const pick = <T>(from: readonly T[]): T => defined(from[random(from.length)]);
  const kind = random(20);
  if (kind < 6) {
    const word = pick(WORDS);
    await page.keyboard.type(word);
  } else if (kind < 15) {
    const key = pick(KEYS);
    const times = 1 + random(3);
    for (let i = 0; i < times; i++) await page.keyboard.press(key);
  } else if (kind < 18) {
    const count = await page.locator(`${SURFACE} :is(p, h1, h2, h3, pre)`).count();
    if (count === 0) return;
    const at = random(count);
    await page.keyboard.press("Escape");
    await page
      .locator(`${SURFACE} :is(p, h1, h2, h3, pre)`)
      .nth(at)
      .click({ timeout: 1500, force: true })
      .catch(() => undefined);
  } else {
    const bar = page.getByRole("toolbar", { name: "Tools for this block" });
    const names = (await bar.getByRole("button").allTextContents()).filter((name) =>
      /Row|Column|Merge|Split|Header/.test(name),
    );
    if (names.length === 0) return;
    const name = pick(names);
    await bar
      .getByRole("button", { name, exact: true })
      .click({ timeout: 1500 })
      .catch(() => undefined);
  }
}

/** The parts of a block that both sides report. */
function plain(node: Loose): Loose {
  const { type, text, marks, attrs, content } = node;
  return {
    type,
    ...(attrs?.id && { id: attrs.id }),
    ...(attrs?.level && { level: attrs.level }),
    ...(attrs?.colspan > 1 && { colspan: attrs.colspan }),
    ...(attrs?.rowspan > 1 && { rowspan: attrs.rowspan }),
    ...(text !== undefined && { text }),
    ...(marks?.length && { marks: marks.map((mark: Loose) => mark.type).sort() }),
    ...(content?.length && { content: content.map(plain) }),
  };
}

const shown = async (page: Page): Promise<Loose[]> =>
  (await page.evaluate<Loose>(`document.querySelector("${SURFACE}").editor.getJSON()`)).content.map(plain);

const stored = async (client: Client, id: string): Promise<Loose[]> => (await readNodes(client, id)).nodes.map(plain);

inBrowser("random typing", (stage) => {
  test(`LIVE4 two people press random keys while a program writes: all see the same (seed ${SEED})`, async () => {
    const ada = await makeAccount(stage, { name: "Ada" });
    const bob = await makeAccount(stage, { name: "Bob", workspace: ada.workspaceId });
    const client = await programOf(stage, ada);
    const { id } = await makeDocument(client, { title: "Plans", text: TEXT });
    const pages = await Promise.all([ada, bob].map((account) => signedInAs(stage, account)));
    for (const page of pages) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      page.on("dialog", (dialog) => void dialog.dismiss());
      await page.goto(`/documents/${id}/edit`);
      await page.locator(`[data-editor-ready] ${SURFACE}[contenteditable="true"]`).waitFor();
      await page.locator(`${SURFACE} > p`).first().click();
    }
    let left = STEPS;
    const type = async (page: Page, at: number): Promise<void> => {
      const random = makeRandom(SEED * 7 + at + 1);
      for (let i = 0; i < 3; i++) random(2);
      for (let step = 0; step < STEPS; step++, left--) {
        await act(page, random);
      }
    };
    const write = async (): Promise<void> => {
      const random = makeRandom(SEED * 7 + 5);
      for (let i = 0; left > 0; i++) {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        const nodes: Loose[] = (await readNodes(client, id)).nodes;
        const at = nodes[random(nodes.length)];
        if (!at) continue;
        if (random(2))
          await client.post(`/documents/${id}/blocks`, {
            position: { after_block_id: at.attrs.id },
            nodes: [p(`Agent ${i}.`)],
          });
      }
    };
    await Promise.all([...pages.map(type), write()]);
    const sides = () => Promise.all([...pages.map(shown), stored(client, id)]);
    await until("all are the same", async () => {
      const [body, ...others] = (await sides()).map((side) => JSON.stringify(side)).toReversed();
      return others.every((other) => other === body);
    }).catch(async (error) => {
      const [one, two, body] = await sides();
      assert.deepEqual(one, body);
      assert.deepEqual(two, body);
      throw error;
    });
  });
});
