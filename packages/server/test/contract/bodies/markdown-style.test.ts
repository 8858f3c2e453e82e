import assert from "node:assert/strict";
import { before, test } from "node:test";
import { blockIds, traces } from "../../support/bodies.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const source =
  "Title\n=====\n\n* one\n* __two__\n\n\nA [link][r],\nsoft *break* \\* here.\n\n[r]: https://a.example\n\n| a|b |\n|--|:-:|\n|1 | 2|\n\n~~~js\ncode\n~~~\n";

onEachDatabase("the style of Markdown", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const read = async ({ id }: Loose) => (await ada.client.get(`/documents/${id}/content?format=markdown`)).text;
  const put = async ({ id }: Loose, text: string, query = "?ids=match") =>
    assertStatus(await ada.client.put(`/documents/${id}/content${query}`, markdown(text), { ifMatch: "*" }), 200).data;

  test("STYLE1 what was written is read back byte for byte, whatever its line ends", async () => {
    for (const text of [source, source.replaceAll("\n", "\r\n"), `\n\n${source.trimEnd()}`, "* a", ""]) {
      const document = await makeDocument(ada.client, { text });
      assert.equal(await read(document), text);
      const other = await makeDocument(ada.client, { text: "x\n" });
      await put(other, text);
      assert.equal(await read(other), text);
    }
  });

  test("STYLE2 an edited block is written anew, its neighbours are not", async () => {
    const document = await makeDocument(ada.client, { text: source });
    const [, list] = await blockIds(ada.client, document.id);
    const path = `/documents/${document.id}/blocks/${list}`;
    const node = { type: "paragraph", content: [{ type: "text", text: "Edited." }] };
    assertStatus(await ada.client.patch(path, { node }), 200);
    assert.equal(await read(document), source.replace("* one\n* __two__\n\n\n", "Edited.\n\n"));
    assertStatus(await ada.client.delete(path), 200);
    assert.equal(await read(document), source.replace("* one\n* __two__\n\n\n", ""));
  });

  test("STYLE4 a write that changes only style is kept, without a new version or a trace", async () => {
    const document = await makeDocument(ada.client, { text: source });
    const left = await traces(ada.client, document.id);
    const other = source.replace("Title\n=====", "# Title").replace("* one\n* __two__", "- one\n- **two**");
    assert.equal((await put(document, other)).version, document.version);
    assert.equal(await read(document), other);
    assert.deepEqual(await traces(ada.client, document.id), left);
    const plain = (await ada.client.get(`/documents/${document.id}/content?format=markdown&annotate=anchors`)).text;
    assert.equal((await put(document, plain, "")).version, document.version);
    assert.equal(await read(document), other);
    await put(document, source);
    assert.equal(await read(document), source);

    const styled = (await ada.client.get(`/documents/${document.id}/content?format=markdown&annotate=anchors`)).text;
    assert.match(styled, /Title\n=====\n[\s\S]*-->\n\* one\n\* __two__\n/);
    assert.equal((await put(document, styled, "")).version, document.version);
    assert.equal(await read(document), source);
  });
});
