import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertStatus, type Loose } from "../../support/client.ts";
import { activate } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const TEXT = '| Name | Sum |\n| --- | --- |\n| Pen | =A2&"x" |\n| \'=quoted | =SUM(A1:A2) |\n';

onEachDatabase("formulas of a translated spreadsheet", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const made = async (document_type: string) => {
    const set = await activate(ada.client, { document: { text: TEXT, document_type } });
    return { source: `/documents/${set.source_document_id}`, target: `/documents/${set.variants[1].document_id}` };
  };
  const unitsOf = async (source: string): Promise<Loose[]> =>
    (await ada.client.get(`${source}/translation-units?limit=100`)).data;
  const textsOf = async (source: string) => (await unitsOf(source)).map((unit) => unit.source_text);
  const markdownOf = async (path: string) => (await ada.client.get(`${path}/content?format=markdown`)).text;
  const setCell = async (path: string, old: string, text: string) => {
    const operations = [{ op: "edit_markdown", old, new: text }];
    assertStatus(await ada.client.post(`${path}/batch`, { base_version: "*", operations }), 200);
  };

  test("LOC3 a formula is copied as it is; a text that begins with an apostrophe is none", async () => {
    const { target } = await made("spreadsheet");
    assert.equal(await markdownOf(target), '|  |  |\n| --- | --- |\n|  | =A2&"x" |\n|  | =SUM(A1:A2) |\n');
  });

  test("LOC12 a formula is no unit, before and after the source changes; on a page it is a text", async () => {
    const { source } = await made("spreadsheet");
    assert.deepEqual(await textsOf(source), ["Name", "Sum", "Pen", "'=quoted"]);
    await setCell(source, "=SUM(A1:A2)", "=MAX(A1:A2)");
    await setCell(source, "| Pen |", "| Pencil |");
    assert.deepEqual(await textsOf(source), ["Name", "Sum", "Pencil", "'=quoted"]);
    await setCell(source, '=A2&"x"', "Words");
    assert.deepEqual((await textsOf(source)).sort(), ["'=quoted", "Name", "Pencil", "Sum", "Words"]);
    assert.equal((await unitsOf((await made("document")).source)).length, 6);
  });

  test("LOC12 in a column of texts there are no formulas", async () => {
    const { source } = await made("spreadsheet");
    const blocks: Loose[] = (await ada.client.get(`${source}/blocks?recursive=true`)).data;
    const header = defined(blocks.find(({ type, text }) => type === "tableHeader" && text === "Sum"));
    assertStatus(await ada.client.patch(`${source}/blocks/${header.id}`, { attrs: { columnType: "text" } }), 200);
    assert.equal((await unitsOf(source)).length, 6);
  });

  test("LOC12 a unit that an older release made of a formula goes with the next change of the source", async () => {
    const { source, target } = await made("spreadsheet");
    const blocks: Loose[] = (await ada.client.get(`${source}/blocks?recursive=true`)).data;
    const formula = defined(blocks.find(({ type, text }) => type === "paragraph" && text.startsWith("=SUM")));
    const document_id = target.slice("/documents/".length);
    const { database } = world.app.services;
    const rows = () =>
      database.read.selectFrom("translation_units").selectAll().where("document_id", "=", document_id).execute();
    const [row, ...others] = await rows();
    await database.transaction(async (tx) => {
      const old = { ...defined(row), id: "tu_00000000000000000000000000", source_block_id: formula.id };
      await tx.insertInto("translation_units").values(old).execute();
      const more = { missing: others.length + 2, linked: others.length + 2 };
      await tx.updateTable("translation_states").set(more).where("document_id", "=", document_id).execute();
    });
    assert.equal((await unitsOf(source)).length, 4);
    await setCell(source, "| Pen |", "| Pencil |");
    assert.equal((await rows()).length, 4);
    const { data } = await ada.client.get(`${source}/localizations`);
    assert.equal(data.variants[1].units.missing, 4);
  });
});
