import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { p } from "@svc/document/testing/builders";

import { replaceStore, saveStore } from "../support/backups.ts";
import { makeBody, textsOf } from "../support/bodies.ts";
import { isSaved, openEditor, shownTexts, signIn, type } from "../support/live-editor.ts";
import { until } from "../support/until.ts";
import { World } from "../support/world.ts";

describe("a backup is restored under open editors", () => {
  const world = new World("sqlite", {});
  const folder = mkdtempSync(join(tmpdir(), "svc-live-restore-"));
  before(() => world.start());
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true });
  });

  test("LIVE22 the tab takes the restored text and keeps what it had not saved; what was saved after the backup is gone", async () => {
    const ada = await world.person();
    const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
    const cookie = await signIn(world, ada);
    const tab = await openEditor({ url: world.directUrl, cookie, documentId: id });
    type(tab, 0, " before");
    await isSaved(tab);
    const { config } = world.app.services;
    const file = join(folder, "backup.db");
    await saveStore(config, file);
    type(tab, 0, " after");
    await isSaved(tab);
    const { epoch } = tab;
    await replaceStore(config, file);
    await until("the tab has the restored state", () => tab.epoch !== epoch && shownTexts(tab)[0] === "One. before");
    await until("the tab may write again", () => tab.mayWrite);
    type(tab, 1, " again");
    await isSaved(tab);
    assert.deepEqual(await textsOf(ada.client, id), ["One. before", "Two. again"]);
    tab.close();
  });
});
