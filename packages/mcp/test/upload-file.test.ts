import assert from "node:assert/strict";
import { test } from "node:test";
import { png } from "../../server/test/support/attachments.ts";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { onEachDatabase } from "../../server/test/support/world.ts";
import { Agent } from "./support/agent.ts";

const markdownIn = (text: string): string => /it is: (.*)$/m.exec(text)?.[1] ?? "";

onEachDatabase(
  "MCP files",
  (world) => {
    test("MCP36 a picture comes in as base64, and the Markdown that it answers shows it", async () => {
      const { client, token } = await world.person();
      const { id } = await makeDocument(client, { title: "Report", text: "Begin.\n" });
      const agent = await Agent.connect(world.url, token);
      const base64 = png.toString("base64");
      const said = await agent.ok("upload_file", { document_id: "Report", file_name: "chart.png", base64 });
      assert.match(said.text, /^Uploaded \*\*chart\.png\*\*: image\/png, \d+ bytes, 37 × 21 pixels\.$/m);
      await agent.ok("edit_markdown", { document_id: "Report", new: markdownIn(said.text) });
      const { data } = await client.get(`/documents/${id}/attachments`);
      assert.deepEqual([data.length, data[0].reference_count, data[0].size], [1, 1, png.length]);
      const { document } = (await client.get(`/documents/${id}/content`)).data;
      assert.equal(document.content[1].type, "image");
    });

    test("MCP36 text comes in as it is, and is shown as a file", async () => {
      const { client, token } = await world.person();
      const { id } = await makeDocument(client, { text: "Begin.\n" });
      const agent = await Agent.connect(world.url, token);
      const text = "a,b\r\nÜ,2\r\n";
      const said = await agent.ok("upload_file", { document_id: id, file_name: "rows [1].csv", text });
      await agent.ok("edit_markdown", { document_id: id, new: markdownIn(said.text) });
      const [file] = (await client.get(`/documents/${id}/attachments`)).data;
      assert.deepEqual([file.file_name, file.reference_count], ["rows [1].csv", 1]);
      assert.equal((await client.get(`/attachments/${file.id}`)).text, text);
    });

    test("MCP36 base64 as models write it is understood; what is none says so", async () => {
      const { client, token } = await world.person();
      const { id } = await makeDocument(client);
      const agent = await Agent.connect(world.url, token);
      const send = (given: object) => ({ document_id: id, file_name: "a.bin", ...given });
      const bytes = Buffer.from([251, 255, 254, 1]);
      for (const base64 of ["+//+AQ==", "-__-AQ", "data:image/png;base64,+//+\nAQ==\n"])
        await agent.ok("upload_file", send({ base64 }));
      const { data } = await client.get(`/documents/${id}/attachments`);
      assert.deepEqual(
        data.map(({ size }: { size: number }) => size),
        [bytes.length, bytes.length, bytes.length],
      );
      for (const given of [{ base64: "no base64!" }, { base64: "+//+A" }, {}, { text: "a", base64: "YQ==" }])
        await agent.refused("invalid_arguments", "upload_file", send(given));
      assert.equal((await client.get(`/documents/${id}/attachments`)).data.length, 3);
    });

    test("MCP36 limits, scopes and roles are those of an upload over HTTP", async () => {
      const owner = await world.person();
      const { id } = await makeDocument(owner.client);
      const given = { document_id: id, file_name: "a.txt", text: "a" };
      const agent = await Agent.connect(world.url, owner.token);
      await agent.refused("payload_too_large", "upload_file", { ...given, text: "a".repeat(5001) });
      await agent.ok("upload_file", { ...given, text: "a".repeat(4000) });
      await agent.refused("quota_exceeded", "upload_file", { ...given, text: "a".repeat(4000) });
      const workspace = owner.workspaceId;
      const scopes = ["documents:read", "documents:write", "attachments:read"];
      const narrow = await world.person({ workspace, scopes });
      await (await Agent.connect(world.url, narrow.token)).refused("insufficient_scope", "upload_file", given);
      const viewer = await world.person({ workspace, role: "viewer" });
      await (await Agent.connect(world.url, viewer.token)).refused("insufficient_scope", "upload_file", given);
      const stranger = await world.person();
      await (await Agent.connect(world.url, stranger.token)).refused("not_found", "upload_file", given);
      assert.equal((await owner.client.get(`/documents/${id}/attachments`)).data.length, 1);
    });
  },
  { SVC_MAX_ATTACHMENT_BYTES: "5000", SVC_MAX_STORAGE_BYTES: "7000" },
);
