import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMarkdown } from "./parse.ts";
import { serialiseBody } from "./serialise.ts";

const ID = "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ";
const inline = (text: string) => parseMarkdown(text)[0]?.content;
const mention = (label: string) => ({ attrs: { id: ID, kind: "user", label }, type: "mention" });

test("NTF13 a link to a person whose text is their name is a mention, both ways", () => {
  for (const name of ["Bob", "Zoë *Star* [x]", "A_b_c", "@home"]) {
    const node = mention(name);
    const { text } = serialiseBody([{ type: "paragraph", content: [{ type: "text", text: "Ask " }, node] }]);
    assert.deepEqual(inline(text)?.[1], node, text);
  }
  assert.deepEqual(inline(`Ask **[@Bob](svc://user/${ID})**!`)?.[1], { ...mention("Bob"), marks: [{ type: "bold" }] });
});

test("NTF13 any other link to a person stays a link", () => {
  const others = [
    `[Bob](svc://user/${ID})`,
    `[@Bob](svc://user/${ID} "title")`,
    "[@Bob](svc://user/somebody)",
    `[@**Bob**](svc://user/${ID})`,
    `[**@Bob**](svc://user/${ID})`,
    `[@Bob](svc://doc/${ID})`,
  ];
  for (const text of others) assert.ok(!JSON.stringify(inline(text)).includes("mention"), text);
});
