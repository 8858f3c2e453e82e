import assert from "node:assert/strict";
import { test } from "node:test";
import { pageRoutes } from "@svc/server/surfaces/pages/index";
import { makeComment, makeDocument, makeSuggestion } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase } from "../../support/world.ts";

/** Fields of forms that a handler passes on to the API, in a header or a path as well as in a body. */
const FIELDS = ["version", "add", "remove", "comment", "answer", "role", "name", "text", "default", "days", "user"];
const ODD = ["", "\0", "🙂", "x".repeat(5000), "../../x", "-1", "__proto__"];

onEachDatabase("forms that no page of ours sends", (world) => {
  test("WEB9 none fails, whatever stands in its fields", async () => {
    const person = await world.person();
    const { id, knowledge_base_id } = await makeDocument(person.client);
    const comment = (await makeComment(person.client, { document_id: id })).id;
    const suggestion = (await makeSuggestion(person.client, { document_id: id })).id;
    const places: Record<string, string> = { "knowledge-bases": String(knowledge_base_id), documents: id };
    const browser = new Visitor(world.url);
    browser.keep(await signIn(world, person));
    const form_token = await browser.formToken("/account");
    assert.notEqual(form_token, "");
    for (const { method, path, isPublic } of pageRoutes) {
      if (method !== "POST" || isPublic || /session|sign-out|members\/remove|\/delete$|workspaces/.test(path)) continue;
      const first = path.split("/")[1] ?? "";
      const names: Record<string, string> = { id: places[first] ?? "x", comment, suggestion, seq: "1" };
      const target = path.replace(/:(\w+)/g, (_all, name: string) => names[name] ?? "x");
      for (const odd of ODD) {
        const fields = Object.fromEntries(FIELDS.map((name) => [name, odd]));
        const reply = await browser.send(target, { ...fields, form_token });
        assert.ok(reply.status < 500, `${target} answers ${reply.status} to ${JSON.stringify(odd.slice(0, 20))}`);
      }
    }
    assert.equal((await browser.fetch("/account")).status, 200, "the session lasts");
  });
});
