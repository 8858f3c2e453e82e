import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { withTerminal } from "./support.ts";

describe("svc sheet", () => {
  const context = withTerminal();
  const svc = () => context.terminal;
  before(async () => {
    await svc().json("kb", "create", "Handbook");
    await svc().json("new", "Handbook/Budget", "--spreadsheet");
  });

  test("SHEET14 a spreadsheet's results are read, and CSV and XLSX go in and out", async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-sheet-"));
    const file = join(folder, "in.csv");
    writeFileSync(file, "Item,Price\nPen,2\nAll,=SUM(B2:B2)*3\n");
    await svc().json("sheet", "Handbook/Budget", "--in", file);
    assert.match(await svc().text("sheet", "Handbook/Budget", "--range", "B3"), /6 ⟵ =SUM\(B2:B2\)\*3/);
    const [sheet] = (await svc().json("sheet", "Handbook/Budget")).sheets;
    assert.deepEqual(sheet.values.at(-1), ["All", "6"]);
    const [csv, xlsx] = [join(folder, "out.csv"), join(folder, "out.xlsx")];
    await svc().json("sheet", "Handbook/Budget", "--out", csv);
    assert.equal(readFileSync(csv, "utf8"), "Item,Price\r\nPen,2\r\nAll,6\r\n");
    await svc().json("sheet", "Handbook/Budget", "--out", xlsx);
    await svc().json("sheet", "Handbook/Budget", "--in", csv);
    assert.deepEqual((await svc().json("sheet", "Handbook/Budget")).sheets[0].formulas, {});
    await svc().json("sheet", "Handbook/Budget", "--in", xlsx);
    assert.deepEqual((await svc().json("sheet", "Handbook/Budget")).sheets[0].formulas, { B3: "=SUM(B2:B2)*3" });
  });
});
