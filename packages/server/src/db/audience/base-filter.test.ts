import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type BaseFilter, filterName, hides, shownIf } from "./base-filter.ts";

const LISTS = {
  none: [],
  short: [3, 7],
  long: Array.from({ length: 40 }, (_, i) => 2 * i + 5),
  "far apart": Array.from({ length: 40 }, (_, i) => 1000 * i + 1),
};

for (const [name, ids] of Object.entries(LISTS))
  for (const mode of ["only", "except"] as const)
    test(`RIGHT5 ${mode} ${name}: the condition shows what the filter shows`, () => {
      const filter: BaseFilter = { mode, ids };
      const db = new DatabaseSync(":memory:");
      db.exec("create table t (id integer)");
      const asked = [...ids, ...ids.map((id) => id + 1), ...ids.map((id) => id - 1), 0, -4, 99, 10 ** 9];
      for (const id of new Set(asked)) db.prepare("insert into t values (?)").run(id);
      db.exec("insert into t values (null)");
      const shown = db.prepare(`select id from t where id is not null and ${shownIf(filter, "id")}`).all();
      const expected = [...new Set(asked)].filter((id) => !hides(filter, id));
      assert.deepEqual(new Set(shown.map(({ id }) => id)), new Set(expected));
    });

test("RIGHT5 few that are shown stand in the condition themselves, and in the name", () => {
  const filter: BaseFilter = { mode: "except", ids: [1, 2, 3], visibleIds: [5, 4] };
  assert.equal(shownIf(filter, "id"), "id in (5, 4)");
  assert.equal(shownIf({ ...filter, visibleIds: [] }, "id"), "1 = 0");
  assert.equal(hides(filter, 9), false, "events of what is gone go by what is hidden");
  const names = [filter, { ...filter, visibleIds: [] }, { mode: "except", ids: [1, 2, 3] } as const].map(filterName);
  assert.equal(new Set(names).size, 3);
  assert.equal(filterName({ ...filter, visibleIds: [4, 5] }), names[0]);
});
