import assert from "node:assert/strict";
import { test } from "node:test";
import type { Person } from "@svc/live/frames";
import { withColours } from "./browser/live-page/person-colour.ts";

const person = (user_id: string, connection = user_id): Person => ({ user_id, connection, name: user_id, place: null });

test("WEB98 the people present have distinct colours, and one person in two tabs has one", () => {
  const ids = Array.from({ length: 6 }, (_, at) => `user_${at * 7}`);
  const colours = withColours([...ids, ids[0] ?? ""].map((id, at) => person(id, String(at)))).map(
    ({ colour }) => colour,
  );
  assert.equal(new Set(colours.slice(0, 6)).size, 6);
  assert.equal(colours[6], colours[0]);
  const same = ["a", "g"].map((id) => withColours([person(id)])[0]?.colour);
  assert.equal(same[0], same[1], "both have the same usual colour");
  const [first, second] = withColours([person("a"), person("g")]);
  assert.equal(first?.colour, same[0]);
  assert.notEqual(second?.colour, same[0]);
  assert.equal(withColours(Array.from({ length: 9 }, (_, at) => person(`p${at}`))).length, 9);
});
