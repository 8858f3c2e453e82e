import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe as suite, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { defined } from "@svc/document/defined";
import { settings } from "@svc/server/config";
import { routes } from "@svc/server/routes";
import { describe } from "@svc/server/surfaces/openapi/describe";
import { Ajv } from "ajv";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { jsonOf, type Loose } from "../../support/client.ts";
import { onEachDatabase } from "../../support/world.ts";

const root = `${import.meta.dirname}/../../../../..`;
const ajv = new Ajv({ strict: false });

suite("the description", () => {
  const description = describe(routes);

  test("DESC2 passes a strict public linter", async () => {
    const rules = { "operation-4xx-response": "error", "no-server-example.com": "off" } as const;
    const config = await createConfig({ extends: ["recommended-strict"], rules });
    const problems = await lintFromString({ source: JSON.stringify(description), config });
    assert.deepEqual(
      problems.map((problem) => `${problem.ruleId}: ${problem.message} ${problem.location[0]?.pointer}`),
      [],
    );
  });

  test("DESC3 the committed openapi.json is this one (npm run openapi)", () => {
    assert.equal(readFileSync(`${root}/openapi.json`, "utf8"), `${JSON.stringify(description, null, 1)}\n`);
  });

  test("DESC6 names the headers of refusals, replays and unchanged answers", () => {
    type Answer = { headers: Record<string, unknown>; "x-codes"?: string[] };
    type Answers = Record<string, Answer & { $ref?: string }>;
    const { responses: shared } = description.components as { responses: Record<string, Answer> };
    const resolveAnswer = (answer: Answer & { $ref?: string }): Answer =>
      answer.$ref === undefined ? answer : defined(shared[answer.$ref.slice("#/components/responses/".length)]);
    const paths = description.paths as Record<string, Record<string, { operationId: string; responses: Answers }>>;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    for (const { operationId, responses } of operations)
      for (const [status, answer] of Object.entries(responses)) {
        const { headers, "x-codes": codes = [] } = resolveAnswer(answer);
        const has = (name: string) => name in headers;
        const where = `${operationId} ${status}`;
        assert.equal(has("WWW-Authenticate"), status === "401", where);
        assert.equal(has("Retry-After"), ["429", "503"].includes(status) || codes.includes("slow_down"), where);
        if (status === "304") assert.ok(has("ETag"), where);
      }
    const create = operations.find((operation) => operation.operationId === "create_folder");
    const replayed = Object.entries(defined(create).responses).filter(
      ([, answer]) => "Idempotency-Replayed" in resolveAnswer(answer).headers,
    );
    assert.deepEqual(
      replayed.map(([status]) => status),
      ["201", "400", "404", "409", "422"],
    );
  });

  test("DESC10 states each error answer once, and stays small", () => {
    const paths = description.paths as Record<string, Record<string, { responses: Record<string, object> }>>;
    const answers = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
    );
    const errors = answers.filter(([status]) => status >= "400");
    assert.ok(errors.length > 500);
    for (const [status, answer] of errors) assert.ok("$ref" in answer, status);
    assert.ok(JSON.stringify(description).length < 700_000);
  });

  test("DESC7 no pattern needs to know what a surrogate is: emoji pass in every dialect", () => {
    const texts = JSON.stringify(description).match(/"pattern":"(?:[^"\\\\]|\\\\.)*"/g) ?? [];
    assert.ok(texts.length > 0);
    for (const text of texts) assert.doesNotMatch(text, /\\u[dD][89a-fA-F]|[^\0-\uffff]/, text);
    const paths = description.paths as Record<string, Record<string, Loose>>;
    const { schema } = defined(paths["/api/v1/documents"]).post.requestBody.content["application/json"];
    const { title } = schema.properties;
    assert.ok(new Ajv({ strict: false, unicodeRegExp: false }).validate(title, "🎈".repeat(500)));
    assert.match(title.description, /500 characters/);
  });

  for (const route of routes) {
    test(`DESC4 ${route.operation} has valid examples`, () => {
      if (route.body) assert.notEqual(route.bodyExample, undefined, "an example of the body");
      if (route.body && route.bodyExample !== undefined)
        assert.ok(ajv.validate(route.body, route.bodyExample), ajv.errorsText());
      if (!route.success.data) return;
      assert.notEqual(route.success.example, undefined, "an example of the answer");
      assert.ok(ajv.validate(route.success.data, route.success.example), ajv.errorsText());
    });
  }

  test("CONF1 docs/settings.md lists every setting with its default", () => {
    const page = readFileSync(`${root}/docs/settings.md`, "utf8");
    for (const { name, shown } of Object.values(settings)) assert.ok(page.includes(`\`${name}\` | ${shown} | `), name);
  });
});

onEachDatabase("the description over HTTP", (world) => {
  test("DESC5 is public, as OpenAPI 3.1, as Markdown and as a page without outside parts", async () => {
    const served = (await (await fetch(`${world.url}/api/openapi.json`)).json()) as {
      openapi: string;
      info: { version: string };
    };
    assert.equal(served.openapi, "3.1.0");
    assert.equal(served.info.version, "1.10.0");
    const markdown = await (await fetch(`${world.url}/api-docs.md`)).text();
    const links = [...markdown.matchAll(/\]\((\/api-docs\/[\w-]+\.md)\)/g)].map(([, link]) => link!);
    const pages = await Promise.all(links.map(async (link) => (await fetch(world.url + link)).text()));
    const all = pages.join("\n");
    for (const route of routes) assert.ok(all.includes(`### ${route.method} /api/v1${route.path}`), route.path);
    assert.match(all, /"edit_markdown"[\s\S]*"after_heading"|"after_heading"[\s\S]*"edit_markdown"/);
    for (const { method, path, summary } of routes)
      assert.ok(markdown.includes(`\n- ${method} /api/v1${path}: ${summary}\n`), path);
    assert.ok(encode(markdown).length <= 10_000, `${encode(markdown).length} tokens`);
    const blocks = await jsonOf(await fetch(`${world.url}/api/openapi/blocks.json`));
    assert.ok("/api/v1/documents/{id}/batch" in blocks.paths);
    assert.ok(!("/api/v1/search/v2" in blocks.paths));
    const page = await (await fetch(`${world.url}/api-docs`)).text();
    assert.doesNotMatch(page, /https?:\/\//);
    const addresses = [...page.matchAll(/(?:src|href)="([^"#]+)/g)].map(([, address]) => defined(address));
    for (const address of new Set(addresses)) {
      const part = await fetch(world.url + address);
      assert.equal(part.status, 200, address);
      assert.ok((await part.text()).length > 100, address);
    }
  });

  test("DESC9 its pages name every operation, and a search finds one by words of it", async () => {
    const read = async (path: string) => (await fetch(world.url + path)).text();
    const first = await read("/api-docs");
    const subjects = [...new Set(first.match(/\/api-docs\/[a-z-]+(?=#)/g))];
    const all = (await Promise.all(subjects.map(read))).join("\n");
    for (const { operation, path } of routes) {
      assert.ok(all.includes(`id="${operation}"`), operation);
      assert.ok(all.includes(`<code>/api/v1${path}</code>`), path);
    }
    const found = await read("/api-docs?q=reactions+delete");
    assert.match(found, /\d operations? for/);
    assert.match(found, /\/api-docs\/comments#remove_reaction/);
    assert.match(await read("/api-docs?q=%3Cscript%3E"), /No operation has all of these words/);
    assert.match(await read("/api-docs/shapes"), /<section id="Document">/);
    assert.equal((await fetch(`${world.url}/api-docs/nothing`)).status, 404);
  });
});
