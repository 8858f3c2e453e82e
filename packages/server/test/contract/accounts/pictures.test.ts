import assert from "node:assert/strict";
import { test } from "node:test";
import { removeUser } from "@svc/server/domain/identity/members/close-account";
import { assertError, assertStatus } from "../../support/client.ts";
import { png } from "../../support/png.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase("pictures of people", (world) => {
  const base64 = (bytes: Uint8Array) => ({ content: Buffer.from(bytes).toString("base64") });

  test("PIC1 everybody chooses their own, members see it, others do not", async () => {
    const ada = await world.person();
    const grace = await world.person({ workspace: ada.workspaceId, role: "viewer" });
    const other = await world.person();
    const path = `/members/${grace.userId}`;
    assert.equal((await ada.client.get(path)).data.picture_url, null);
    assertError(await ada.client.get(`${path}/picture`), "not_found");
    const { data } = assertStatus(await grace.client.put("/me/picture", base64(png(16, 8))), 200);
    assert.deepEqual([data.content_type, data.width, data.height], ["image/png", 16, 8]);
    assert.equal((await ada.client.get(path)).data.picture_url, data.url);
    const listed: { id: string; picture_url: string | null }[] = (await ada.client.get("/members")).data;
    assert.equal(listed.find(({ id }) => id === grace.userId)?.picture_url, data.url);
    const read = await fetch(world.url + data.url, { headers: { authorization: `Bearer ${ada.token}` } });
    assert.equal(read.headers.get("content-type"), "image/png");
    assert.equal(read.headers.get("x-content-type-options"), "nosniff");
    assert.equal((await read.arrayBuffer()).byteLength, data.size);
    const etag = read.headers.get("etag") ?? "";
    const again = { authorization: `Bearer ${ada.token}`, "if-none-match": etag };
    assert.equal((await fetch(world.url + data.url, { headers: again })).status, 304);
    for (const hidden of [path, `${path}/picture`]) assertError(await other.client.get(hidden), "not_found");
    assertStatus(await grace.client.put("/me/picture", base64(png(9, 9))), 200);
    assert.notEqual((await ada.client.get(path)).data.picture_url, data.url);
    for (const _twice of [1, 2]) assertStatus(await grace.client.delete("/me/picture"), 200);
    assertError(await ada.client.get(`${path}/picture`), "not_found");
  });

  test("PIC2 what is no picture, too large or too wide is refused", async () => {
    const { client } = await world.person();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const bytes of [svg, Buffer.from("GIF89a"), png(1025, 1), Buffer.alloc(300 * 1024)])
      assertError(await client.put("/me/picture", base64(bytes)), "invalid_request");
    assertError(await client.put("/me/picture", { content: "" }), "invalid_request");
  });

  test("PIC3 it goes with its person", async () => {
    const ada = await world.person();
    const grace = await world.person({ workspace: ada.workspaceId, role: "editor" });
    assertStatus(await grace.client.put("/me/picture", base64(png(4, 4))), 200);
    const { database } = world.app.services;
    await database.transaction((tx) => removeUser(tx, grace.userId));
    const left = await database.read.selectFrom("pictures").selectAll().where("user_id", "=", grace.userId).execute();
    assert.deepEqual(left, []);
  });
});
