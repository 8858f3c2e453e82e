import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import {
  type ApertiumPeer,
  requireApertium,
  requireApertiumService,
  startApertium,
} from "../../../test/support/peers/apertium.ts";
import { InvalidSetting } from "../invalid-setting.ts";
import { ProviderError } from "../provider-error.ts";
import { apertium } from "./apertium.ts";
import { apertiumCommand } from "./apertium-command.ts";
import { findPair } from "./apertium-languages.ts";
import { openTranslator } from "./open-translator.ts";
import { toMarkedText } from "./placeholders.ts";
import { restore } from "./restore-placeholders.ts";
import type { Translator } from "./translator.ts";

const toSpanish = { source: "en-GB", target: "es" };

async function translateOne(translator: Translator, text: string): Promise<string> {
  const [result] = await translator.translate([{ id: "a", text }], toSpanish);
  assert.ok(result && "text" in result);
  return result.text;
}

function engineTests(open: () => Translator): void {
  test("translates, keeps ids, order, white space and texts without words", async () => {
    const segments = [
      { id: "a", text: "The red house is big." },
      { id: "b", text: "  I see the dogs.\n\nThe dog is red. " },
      { id: "c", text: "1, 2, ⟦3⟧!" },
      { id: "d", text: "" },
    ];
    assert.deepEqual(await open().translate(segments, toSpanish), [
      { id: "a", text: "La casa roja es grande." },
      { id: "b", text: "  Veo los perros.\n\nEl perro es rojo. " },
      { id: "c", text: "1, 2, ⟦3⟧!" },
      { id: "d", text: "" },
    ]);
  });

  test("a long text comes back whole", async () => {
    const sentence = "The red house is big. ";
    const translated = await translateOne(open(), sentence.repeat(2000));
    assert.equal(translated.match(/grande\./g)?.length, 2000);
  });

  test("marks, links and code of a block survive", async () => {
    const link = { type: "link", attrs: { href: "https://example.org/" } };
    const { text, plan } = toMarkedText([
      { type: "text", text: "The " },
      { type: "text", text: "red house", marks: [link] },
      { type: "text", text: " is " },
      { type: "text", text: "house --red", marks: [{ type: "code" }] },
      { type: "text", text: " and the dog." },
    ]);
    assert.deepEqual(restore(await translateOne(open(), text), plan), {
      nodes: [
        { type: "text", text: "La " },
        { type: "text", text: "casa roja", marks: [link] },
        { type: "text", text: " es " },
        { type: "text", text: "house --red", marks: [{ type: "code" }] },
        { type: "text", text: " y el perro." },
      ],
    });
  });

  test("hostile characters go through", async () => {
    const text = "A house \\ [b] ^c$ <d> @e {f} \u0000 😀 家 \u202e – the house/dog *x* ~y";
    assert.match(await translateOne(open(), text), /casa/);
  });

  test("an unknown pair and a malformed tag are refused clearly", async () => {
    assert.equal(await open().supports?.("es-MX", "en"), true);
    for (const target of ["ja", "not a tag", "en"]) {
      assert.equal(await open().supports?.("en", target), false);
      const translation = open().translate([{ id: "a", text: "house" }], { source: "en", target });
      await assert.rejects(translation, (error) => error instanceof ProviderError && error.code === "unsupported_pair");
    }
  });

  test("an abort ends it with the abort's reason", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(open().translate([{ id: "a", text: "house" }], { ...toSpanish, signal }), /enough/);
  });
}

describe("Apertium by its service", requireApertiumService(), () => {
  let peer: ApertiumPeer;
  let translator: Translator;
  before(async () => {
    peer = await startApertium();
    translator = defined(openTranslator({ provider: "apertium", url: peer.url }));
  });
  after(() => peer.stop());
  engineTests(() => translator);
});

describe("Apertium by its command", requireApertium(), () => {
  const translator = defined(openTranslator({ provider: "apertium" }));
  engineTests(() => translator);

  test("two hundred segments share a few processes", async () => {
    const segments = Array.from({ length: 200 }, (_, index) => ({
      id: String(index),
      text: `The house ${index} is big.`,
    }));
    const results = await translator.translate(segments, toSpanish);
    assert.deepEqual(
      results,
      segments.map(({ id }) => ({ id, text: `La casa ${id} es grande.` })),
    );
  });
});

describe("a command that misbehaves", () => {
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), "svc-apertium-"));
  });
  after(() => rm(dir, { recursive: true }));

  async function withScript(script: string, timeoutMs: number) {
    const command = join(dir, `${Math.random()}`);
    await writeFile(command, `#!/bin/sh\nif [ "$1" = -l ]; then echo "  eng-spa"; exit; fi\n${script}\n`, {
      mode: 0o700,
    });
    return apertium(apertiumCommand({ command, timeoutMs, maxAnswerBytes: 10_000 }));
  }

  const cases: [string, string, string][] = [
    ["never ends", "sleep 30 | sleep 30", "provider_unreachable"],
    ["fails", "exit 3", "provider_refused"],
    ["loses lines", "cat > /dev/null", "provider_nonsense"],
    ["writes without end", "yes", "provider_nonsense"],
  ];
  for (const [name, script, code] of cases) {
    test(`${name}: ${code}`, async () => {
      const translation = (await withScript(script, code === "provider_unreachable" ? 500 : 20_000)).translate(
        [{ id: "a", text: "one\ntwo" }],
        toSpanish,
      );
      await assert.rejects(translation, (error) => error instanceof ProviderError && error.code === code);
    });
  }

  test("is not there: the start says so", () => {
    assert.throws(() => openTranslator({ provider: "apertium", path: dir }), InvalidSetting);
  });
});

test("pairs are found by region, then language, then Apertium's own names", () => {
  const pair = (source: string, target: string) => ({ source, target });
  const pairs = [
    pair("spa", "eng"),
    pair("spa", "eng_US"),
    pair("hbs_HR", "eng"),
    pair("nob", "nno"),
    pair("ast", "spa"),
  ];
  assert.deepEqual(findPair(pairs, "es-ES", "en-US"), pair("spa", "eng_US"));
  assert.deepEqual(findPair(pairs, "es", "en-GB"), pair("spa", "eng"));
  assert.deepEqual(findPair(pairs, "hr", "en"), pair("hbs_HR", "eng"));
  assert.deepEqual(findPair(pairs, "no", "nn"), pair("nob", "nno"));
  assert.deepEqual(findPair(pairs, "ast", "es"), pair("ast", "spa"));
  assert.equal(findPair(pairs, "en", "es"), undefined);
});
