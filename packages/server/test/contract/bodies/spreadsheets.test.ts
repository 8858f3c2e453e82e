import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, zipOf } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const BUDGET = `| Item | Price | Count | Sum |
| --- | --- | --- | --- |
| Pen | 2 | 3 | =PRODUCT(B2:C2) |
| Book | 10 | 4 | =PRODUCT(B3:C3) |
| All |  |  | =SUM(D2:D3) |
`;

const csv = (content: string) => ({ format: "csv", content });
const xlsx = (content: Uint8Array) => ({ format: "xlsx", content: Buffer.from(content).toString("base64") });

onEachDatabase("spreadsheets", (world) => {
  let ada: Person;
  let client: Client;
  before(async () => {
    ada = await world.person();
    ({ client } = ada);
  });
  const make = (text = BUDGET): Promise<Loose> => makeDocument(client, { document_type: "spreadsheet", text });
  const pathOf = ({ id }: Loose) => `/documents/${id}/spreadsheet`;
  const markdownOf = async ({ id }: Loose) => (await client.get(`/documents/${id}/content?format=markdown`)).text;
  const replace = (document: Loose, body: unknown, query = "") =>
    client.put(`${pathOf(document)}${query}`, body, { ifMatch: "*" });

  test("SHEET1 the body keeps formulas as they are written; results stand beside them", async () => {
    const document = await make();
    assert.equal(await markdownOf(document), BUDGET);
    const [sheet] = (await client.get(pathOf(document))).data.sheets;
    assert.deepEqual(sheet.values.at(-1), ["All", "", "", "46"]);
    assert.deepEqual(sheet.formulas, { D2: "=PRODUCT(B2:C2)", D3: "=PRODUCT(B3:C3)", D4: "=SUM(D2:D3)" });
    assert.equal(sheet.range, "A1:D4");
    const text = await client.get(`${pathOf(document)}?format=markdown&range=C3:D4`);
    assert.equal(
      text.text,
      "## Sheet1\n\n|  | C | D |\n| --- | --- | --- |\n| 3 | 4 | 40 ⟵ =PRODUCT(B3:C3) |\n| 4 |  | 46 ⟵ =SUM(D2:D3) |\n",
    );
    assertError(await client.get(`${pathOf(document)}?range=nowhere`), "invalid_request");
    assertError(await client.get(`${pathOf(document)}?sheet=none`), "not_found");
  });

  test("SHEET5 pages without scripts show results", async () => {
    const document = await make();
    const share = assertStatus(await client.post(`/documents/${document.id}/public-share`), 200).data;
    const page = await (await fetch(new URL(new URL(share.url).pathname, world.url))).text();
    assert.match(page, />46<\/td>/);
    assert.doesNotMatch(page, /SUM\(/);
  });

  test("SHEET6 a block's edit by the API changes results that build on it", async () => {
    const document = await make();
    const edit = { op: "edit_markdown", old: "| Pen | 2 |", new: "| Pen | 5 |" };
    const written = await client.post(`/documents/${document.id}/batch`, {
      base_version: document.version,
      operations: [edit],
    });
    assertStatus(written, 200);
    const [sheet] = (await client.get(pathOf(document))).data.sheets;
    assert.equal(sheet.values.at(-1).at(-1), "55");
  });

  test("SHEET7 CSV goes out and comes in; ids and column types stay at their places", async () => {
    const document = await make();
    const out = await client.get(`${pathOf(document)}?format=csv`);
    assert.equal(out.text, "Item,Price,Count,Sum\r\nPen,2,3,6\r\nBook,10,4,40\r\nAll,,,46\r\n");
    assert.match(out.headers.get("content-disposition") ?? "", /Title\.csv/);
    const formulas = await client.get(`${pathOf(document)}?format=csv&values=formulas`);
    assert.equal(assertStatus(await replace(document, csv(formulas.text)), 200).data.version, document.version);
    const ids = async () => (await client.get(`/documents/${document.id}/content`)).text.match(/block_\w+/g);
    const before = await ids();
    assertStatus(await replace(document, csv(formulas.text.replace("Pen", "Pencil"))), 200);
    assert.deepEqual(await ids(), before);
    assert.equal(await markdownOf(document), BUDGET.replace("Pen", "Pencil"));
  });

  test("SHEET7 a cell of several lines stays as it is when its file comes in again, and makes no version", async () => {
    const document = await make("");
    const file = csv('name,note\nada,"line one\nline two"\n');
    const { version } = assertStatus(await replace(document, file), 200).data;
    assert.equal(assertStatus(await replace(document, file), 200).data.version, version);
    const text = async () => (await client.get(`${pathOf(document)}?format=csv`)).text;
    assert.equal(await text(), 'name,note\r\nada,"line one\nline two"\r\n');
    const bytes = await download(client, `${pathOf(document)}?format=xlsx`);
    const named = assertStatus(await replace(document, xlsx(bytes)), 200).data.version;
    assert.equal(assertStatus(await replace(document, xlsx(bytes)), 200).data.version, named);
    assert.equal(await text(), 'name,note\r\nada,"line one\nline two"\r\n');
  });

  test("SHEET7 a cell is read whole where a break in its line has an id, as files that came in twice left it", async () => {
    const line = (text: string) => ({ type: "text", text });
    const broken = { type: "hardBreak", attrs: { id: "" } };
    const cell = (...content: Loose[]) => ({ type: "tableHeader", content: [{ type: "paragraph", content }] });
    const table = {
      type: "table",
      content: [{ type: "tableRow", content: [cell(line("one"), broken, line("two"))] }],
    };
    const document = await make("");
    const body = { format: "tiptap-json", document: { type: "doc", content: [table] } };
    assertStatus(await client.put(`/documents/${document.id}/content`, body, { ifMatch: "*" }), 200);
    assert.equal((await client.get(`${pathOf(document)}?format=csv`)).text, '"one\ntwo"\r\n');
  });

  test("SHEET7 one sheet is replaced or added by its name", async () => {
    const document = await make();
    assertStatus(await replace(document, csv("a;b\n1;=Sheet1!D4"), "?sheet=More"), 200);
    const { sheets } = (await client.get(pathOf(document))).data;
    assert.deepEqual(
      sheets.map(({ name, values }: Loose) => [name, values.at(-1)]),
      [
        ["Sheet1", ["All", "", "", "46"]],
        ["More", ["1", "46"]],
      ],
    );
    const bytes = await download(client, `${pathOf(document)}?format=xlsx`);
    const copy = await make("| x |\n| --- |\n");
    assertStatus(await replace(copy, xlsx(bytes)), 200);
    const copied = (await client.get(pathOf(copy))).data.sheets;
    assert.deepEqual(
      copied.map(({ name, values, formulas }: Loose) => [name, values, formulas]),
      sheets.map(({ name, values, formulas }: Loose) => [name, values, formulas]),
    );
  });

  test("SHEET9 what is no spreadsheet, or made to do harm, is refused and changes nothing", async () => {
    const document = await make();
    const page = await makeDocument(client);
    assertError(await replace(page, csv("a,b")), "invalid_document");
    assertError(await client.put(pathOf(document), csv("a")), "precondition_required");
    assertError(await client.put(pathOf(document), csv("a"), { ifMatch: "v1_other" }), "version_conflict");
    assertError(await replace(document, xlsx(Buffer.from("no archive"))), "invalid_document");
    assertError(await replace(document, csv(`${",".repeat(1000)}x`)), "invalid_document");
    assertError(await replace(document, csv("x\n".repeat(100_001))), "invalid_document");
    const bomb = await zipOf({ "xl/workbook.xml": Buffer.alloc(40 * 1024 * 1024, 32) });
    assertError(await replace(document, xlsx(bomb)), "invalid_document");
    const entities = '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">]><workbook><sheets/></workbook>';
    assertError(await replace(document, xlsx(await zipOf({ "xl/workbook.xml": entities }))), "invalid_document");
    assert.equal(await markdownOf(document), BUDGET);
  });

  test("SHEET3 a sheet that takes too long to compute is answered, with errors in its cells", async () => {
    const knowledge_base_id = (await makeKnowledgeBase(client)).id;
    const rows = Array.from({ length: 400 }, () => "| =SUM($B$1:$Z$20000) |").join("\n");
    const document = await makeDocument(client, {
      knowledge_base_id,
      document_type: "spreadsheet",
      text: `| Sum |\n| --- |\n${rows}\n`,
    });
    const [sheet] = (await client.get(pathOf(document))).data.sheets;
    assert.equal(sheet.values[1][0], "0");
    assert.equal(sheet.values.at(-1)[0], "#LIMIT!");
  });
});

async function download({ url, token }: Client, path: string): Promise<Uint8Array> {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  return new Uint8Array(await response.arrayBuffer());
}
