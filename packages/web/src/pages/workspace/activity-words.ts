import { html, type Part } from "../../html.ts";

/** What each action did, in words that follow the person; what it was done to is named in the place of `{page}` and the like. */
const words: Readonly<Record<string, string>> = {
  create_document: "made {page}",
  change_document: "changed the title, place or settings of {page}",
  delete_document: "deleted {page}",
  copy_document: "copied {page}",
  put_content: "rewrote {page}",
  put_spreadsheet: "rewrote {page}",
  put_properties: "changed the properties of {page}",
  edit_live: "edited {page}",
  insert_blocks: "added to {page}",
  change_block: "edited {page}",
  delete_block: "removed a part of {page}",
  move_section: "moved a section of {page}",
  batch: "edited {page}",
  rollback: "restored an earlier version of {page}",
  create_comment: "commented on {page}",
  change_comment: "changed a comment on {page}",
  reply_to_comment: "replied to a comment on {page}",
  resolve_comment: "resolved a thread of comments on {page}",
  reopen_comment: "reopened a thread of comments on {page}",
  add_reaction: "reacted to a comment on {page}",
  remove_reaction: "took back a reaction to a comment on {page}",
  delete_comment: "deleted a comment on {page}",
  restore_comment: "brought back a comment on {page}",
  create_suggestion: "proposed a change of {page}",
  accept_suggestion: "accepted a suggestion for {page}",
  reject_suggestion: "rejected a suggestion for {page}",
  reopen_suggestion: "reopened a suggestion for {page}",
  withdraw_suggestion: "withdrew a suggestion for {page}",
  create_relation: "linked two pages",
  delete_relation: "took away a link between two pages",
  put_document_summary: "wrote a summary of {page}",
  rebuild_document_summary: "made the summary anew of {page}",
  put_folder_summary: "wrote a summary of {folder}",
  rebuild_folder_summary: "made the summary anew of {folder}",
  put_knowledge_base_summary: "wrote a summary of {base}",
  rebuild_knowledge_base_summary: "made the summary anew of {base}",
  add_localization: "added a language to {page}",
  change_localization: "changed a language of {page}",
  delete_localization: "took away a language of {page}",
  activate_localization: "gave languages to {page}",
  deactivate_localization: "took away all other languages of {page}",
  create_translation_job: "asked for a machine translation of {page}",
  apply_translation_job: "took over a machine translation",
  review_translation_unit: "reviewed a translation of {page}",
  upload_attachment: "uploaded a file to {page}",
  delete_attachment: "deleted a file",
  restore_attachment: "brought back a file",
  ensure_public_share: "turned the share link on for {page}",
  withdraw_public_share: "turned the share link off for {page}",
  ensure_folder_public_share: "turned on the share link of {folder}",
  withdraw_folder_public_share: "turned off the share link of {folder}",
  create_folder: "made {folder}",
  change_folder: "renamed or moved {folder}",
  delete_folder: "deleted {folder}",
  create_knowledge_base: "made {base}",
  rename_knowledge_base: "renamed {base}",
  delete_knowledge_base: "deleted {base}",
  import_knowledge_base: "imported a knowledge base",
  put_knowledge_base_access: "changed who may see {base}",
  restore_from_trash: "restored something from the trash",
  create_group: "made a group",
  rename_group: "renamed a group",
  delete_group: "deleted a group",
  add_group_member: "added somebody to a group",
  remove_group_member: "took somebody out of a group",
  create_concept: "made a concept",
  change_concept: "changed a concept",
  add_concept_source: "named evidence of a concept",
  add_concept_relation: "related two concepts",
  merge_concepts: "joined two concepts",
  unmerge_concepts: "took apart two concepts that were joined",
  extract_concept_candidates: "looked for candidates for concepts",
  accept_concept_candidate: "accepted a candidate for a concept",
  reject_concept_candidate: "rejected a candidate for a concept",
  reopen_concept_candidate: "reopened a candidate for a concept",
  create_webhook: "made a webhook",
  change_webhook: "changed a webhook",
  delete_webhook: "deleted a webhook",
  rotate_webhook_secret: "gave a webhook a new secret",
  redeliver_webhook_delivery: "sent a webhook's delivery again",
  test_webhook: "tried a webhook out",
  poll_device_login: "signed a device in",
};

export interface Done {
  readonly action: string;
  readonly person: string | null;
  /** What it was done to, as far as it can be named; without an address once it is in the trash. */
  readonly subject: { readonly name: string; readonly href: string | undefined } | undefined;
}

/** What stands for one that has no name here, and what stands before a name. */
const kinds: Readonly<Record<string, { readonly nameless: string; readonly article: string }>> = {
  page: { nameless: "a page", article: "" },
  folder: { nameless: "a folder", article: "the folder " },
  base: { nameless: "a knowledge base", article: "the knowledge base " },
};

/** `create_document` as `create document`, where no words are known. */
const plainWords = (action: string): string => action.replaceAll("_", " ");

const nameOf = ({ name, href }: NonNullable<Done["subject"]>): Part =>
  href === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${href}"><bdi>${name}</bdi></a>`;

/** “Ada rewrote *How we deploy*”, linked. */
export const activitySentence = ({ action, person, subject }: Done): Part => {
  const [before, kind = "", after] = (words[action] ?? `did: ${plainWords(action)}`).split(/\{(\w+)\}/);
  const object = subject ? html`${kinds[kind]?.article}${nameOf(subject)}` : kinds[kind]?.nameless;
  return html`<bdi>${person ?? "Somebody who is gone"}</bdi> ${before}${kinds[kind] && object}${after}`;
};
