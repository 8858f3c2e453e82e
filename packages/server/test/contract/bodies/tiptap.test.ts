import assert from "node:assert/strict";
import { before, test } from "node:test";
import { documentKit } from "@svc/tiptap-kit/kit";
import { getSchema } from "@tiptap/core";
import { makeBody, readNodes, tiptap, traces } from "../../support/bodies.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const schema = getSchema(documentKit());

const everything = `# A heading with **bold _both_** and \`code\`

Text with [a *link*](https://a.example "t"), ~~strike~~, <u>u</u>, <sub>1</sub>, <sup>2</sup>, <mark>m</mark>, $x^2$ and a note[^n].
A second line\\
and a third with [**\`code\`**](svc://doc/doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCM).

- one
  - two

    more
- # heading in an item

3. three
4. four

- [x] done
- [ ] open

> quote

> [!WARNING]
> careful

| a | b |
| :-: | --- |
| 1 | 2 |

\`\`\`ts title=x
code
\`\`\`

$$
y
$$

---

![alt](https://a.example/p.png "title")

<details open>
<summary>More *here*</summary>

inside

</details>

[^n]: The note.
`;

onEachDatabase("a Tiptap editor", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  /** The body that an editor with the published schema saves after opening it and changing nothing. */
  const openAndSave = async (id: string) => {
    const { data } = await ada.client.get(`/documents/${id}/content`);
    const opened = schema.nodeFromJSON(data.document);
    opened.check();
    const body = { format: "tiptap-json", document: { type: "doc", content: opened.toJSON().content ?? [] } };
    return assertStatus(await ada.client.put(`/documents/${id}/content`, body, { ifMatch: data.version }), 200).data;
  };

  test("BODY26 opening and saving changes nothing", async () => {
    const bodies: Loose[] = [
      await makeDocument(ada.client, { text: everything }),
      await makeDocument(ada.client, { text: "" }),
      await makeBody(ada.client, [
        { type: "paragraph", attrs: { textAlign: "right" } },
        {
          type: "orderedList",
          attrs: { start: 3, type: "a" },
          content: [{ type: "listItem", content: [{ type: "codeBlock" }] }],
        },
      ]),
    ];
    for (const { id, version } of bodies) {
      const left = await traces(ada.client, id);
      assert.deepEqual(await openAndSave(id), { version, changed_block_ids: [] });
      assert.deepEqual(await traces(ada.client, id), left);
    }
  });

  test("BODY26 an edit in the editor changes the one block", async () => {
    const { id } = await makeDocument(ada.client, { text: everything });
    const { nodes } = await readNodes(ada.client, id);
    const opened = schema.nodeFromJSON({ type: "doc", content: nodes });
    const content = opened.toJSON().content;
    content[1].content = [{ type: "text", text: "Rewritten." }];
    const { data } = await ada.client.put(`/documents/${id}/content`, tiptap(...content), { ifMatch: "*" });
    assert.deepEqual(data.changed_block_ids, [nodes[1].attrs.id]);
  });
});
