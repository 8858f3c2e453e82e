import assert from "node:assert/strict";
import { test } from "node:test";
import { noVariant } from "./no-variant.ts";
import { documentOf, type ShownDocument } from "./represent.ts";

const row: ShownDocument = {
  workspace_id: "ws_1",
  id: "doc_1",
  knowledge_base_id: 7,
  folder_id: null,
  title: "Plain",
  file_name: null,
  properties: "{}",
  document_type: "document",
  heading_numbered: 0,
  background_color: null,
  collapsed_block_ids: "[]",
  is_template: 0,
  version: "sha256:0",
  character_count: 3,
  block_count: 1,
  created_at: 1,
  updated_at: 2,
  ...noVariant,
};

test("DOC1 a document written by hand is the JSON of its fields, whatever they hold", () => {
  const title = 'A "quoted" \\ title\u2028 with \u{1f600} and </script>';
  const collapsed = ['block "1"', "ünï"];
  const shown = documentOf({
    ...row,
    title,
    folder_id: 3,
    file_name: 'a "quoted" name',
    heading_numbered: 1,
    background_color: '#"\\',
    collapsed_block_ids: JSON.stringify(collapsed),
    is_template: 1,
    document_set_id: "dset_1",
    locale: "pt-BR",
    variant_role: "source",
    workflow_status: "draft",
  });
  assert.deepEqual(shown, {
    ...documentOf(row),
    title,
    folder_id: 3,
    file_name: 'a "quoted" name',
    heading_numbered: true,
    background_color: '#"\\',
    collapsed_block_ids: collapsed,
    is_template: true,
    document_set_id: "dset_1",
    document_set_uri: "svc://docset/dset_1",
    locale: "pt-BR",
    variant_role: "source",
    workflow_status: "draft",
  });
});
