import { html, type Part } from "../../../shared/html.ts";

/** Each action as a phrase after the person's name; its subject replaces `{page}` and the like. */
const words: Readonly<Record<string, string>> = {
  create_document: "created {page}",
  change_document: "changed the title, location or settings of {page}",
  delete_document: "deleted {page}",
  copy_document: "copied {page}",
  create_subpage: "created a page below {page}",
  put_content: "rewrote {page}",
  put_spreadsheet: "rewrote {page}",
  put_properties: "changed the properties of {page}",
  edit_live: "edited {page}",
  insert_blocks: "added to {page}",
  change_block: "edited {page}",
  delete_block: "removed part of {page}",
  move_section: "moved a section of {page}",
  batch: "edited {page}",
  rollback: "restored an earlier version of {page}",
  restore_history_state: "restored an earlier version of {page}",
  name_history_state: "named a version of {page}",
  create_comment: "commented on {page}",
  change_comment: "changed a comment on {page}",
  reply_to_comment: "replied to a comment on {page}",
  resolve_comment: "resolved a thread of comments on {page}",
  reopen_comment: "reopened a thread of comments on {page}",
  add_reaction: "reacted to a comment on {page}",
  remove_reaction: "removed a reaction to a comment on {page}",
  delete_comment: "deleted a comment on {page}",
  restore_comment: "restored a comment on {page}",
  create_suggestion: "suggested a change to {page}",
  accept_suggestion: "accepted a suggestion for {page}",
  reject_suggestion: "rejected a suggestion for {page}",
  reopen_suggestion: "reopened a suggestion for {page}",
  withdraw_suggestion: "withdrew a suggestion for {page}",
  create_relation: "linked two pages",
  delete_relation: "removed a link between two pages",
  put_document_summary: "wrote a summary of {page}",
  rebuild_document_summary: "regenerated the summary of {page}",
  put_folder_summary: "wrote a summary of {folder}",
  rebuild_folder_summary: "regenerated the summary of {folder}",
  put_knowledge_base_summary: "wrote a summary of {base}",
  rebuild_knowledge_base_summary: "regenerated the summary of {base}",
  add_localization: "added a language to {page}",
  change_localization: "changed a language of {page}",
  delete_localization: "removed a language from {page}",
  activate_localization: "made {page} multilingual",
  deactivate_localization: "removed all other languages from {page}",
  create_translation_job: "requested a machine translation of {page}",
  apply_translation_job: "applied a machine translation",
  review_translation_unit: "reviewed a translation of {page}",
  upload_attachment: "uploaded a file to {page}",
  delete_attachment: "deleted a file",
  restore_attachment: "restored a file",
  ensure_public_share: "created a public link to {page}",
  withdraw_public_share: "removed the public link to {page}",
  ensure_folder_public_share: "created a public link to {folder}",
  withdraw_folder_public_share: "removed the public link to {folder}",
  create_folder: "created {folder}",
  change_folder: "renamed or moved {folder}",
  delete_folder: "deleted {folder}",
  create_knowledge_base: "created {base}",
  rename_knowledge_base: "renamed {base}",
  delete_knowledge_base: "deleted {base}",
  import_knowledge_base: "imported a knowledge base",
  put_knowledge_base_access: "changed who may see {base}",
  restore_from_trash: "restored something from the trash",
  create_group: "created a group",
  rename_group: "renamed a group",
  delete_group: "deleted a group",
  add_group_member: "added a member to a group",
  remove_group_member: "removed a member from a group",
  create_concept: "created a concept",
  change_concept: "changed a concept",
  add_concept_source: "added evidence to a concept",
  add_concept_relation: "related two concepts",
  merge_concepts: "merged two concepts",
  unmerge_concepts: "separated two merged concepts",
  extract_concept_candidates: "searched for concept candidates",
  accept_concept_candidate: "accepted a concept candidate",
  reject_concept_candidate: "rejected a concept candidate",
  reopen_concept_candidate: "reopened a concept candidate",
  create_webhook: "created a webhook",
  change_webhook: "changed a webhook",
  delete_webhook: "deleted a webhook",
  rotate_webhook_secret: "gave a webhook a new secret",
  redeliver_webhook_delivery: "sent a webhook's delivery again",
  test_webhook: "tested a webhook",
  poll_device_login: "signed a device in",
};

export interface Done {
  readonly action: string;
  readonly person: string | null;
  /** The action's subject, if it can be named; without an address if it is in the trash. */
  readonly subject: { readonly name: string; readonly href: string | undefined } | undefined;
}

/** The phrase for a subject without a name, and the article before a name. */
const kinds: Readonly<Record<string, { readonly nameless: string; readonly article: string }>> = {
  page: { nameless: "a page", article: "" },
  folder: { nameless: "a folder", article: "the folder " },
  base: { nameless: "a knowledge base", article: "the knowledge base " },
};

/** `create_document` as `create document`, for actions without a phrase. */
const plainWords = (action: string): string => action.replaceAll("_", " ");

const nameOf = ({ name, href }: NonNullable<Done["subject"]>): Part =>
  href === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${href}"><bdi>${name}</bdi></a>`;

/** “Ada rewrote *How we deploy*”, linked. */
export const activitySentence = ({ action, person, subject }: Done): Part => {
  const [before, kind = "", after] = (words[action] ?? `did: ${plainWords(action)}`).split(/\{(\w+)\}/);
  const object = subject ? html`${kinds[kind]?.article}${nameOf(subject)}` : kinds[kind]?.nameless;
  return html`<bdi>${person ?? "A former member"}</bdi> ${before}${kinds[kind] && object}${after}`;
};
