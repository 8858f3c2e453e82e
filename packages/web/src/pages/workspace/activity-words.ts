import { html, type Part } from "../../html.ts";

/** What each action did, as the words between who did it and what it was done to. */
const words: Readonly<Record<string, string>> = {
  create_document: "made a page",
  change_document: "changed the title, place or settings of",
  delete_document: "deleted",
  copy_document: "copied",
  put_content: "rewrote",
  put_spreadsheet: "rewrote",
  put_properties: "changed the properties of",
  edit_live: "edited",
  insert_blocks: "added to",
  change_block: "edited",
  delete_block: "removed a part of",
  move_section: "moved a section of",
  batch: "edited",
  rollback: "restored an earlier version of",
  create_comment: "commented on",
  change_comment: "changed a comment",
  reply_to_comment: "replied to a comment",
  resolve_comment: "resolved a thread of comments",
  reopen_comment: "reopened a thread of comments",
  add_reaction: "reacted to a comment",
  remove_reaction: "took back a reaction to a comment",
  delete_comment: "deleted a comment",
  restore_comment: "brought back a comment",
  create_suggestion: "proposed a change of",
  accept_suggestion: "accepted a suggestion",
  reject_suggestion: "rejected a suggestion",
  reopen_suggestion: "reopened a suggestion",
  withdraw_suggestion: "withdrew a suggestion",
  create_relation: "linked two pages",
  delete_relation: "took away a link between two pages",
  put_document_summary: "wrote a summary of",
  rebuild_document_summary: "made the summary anew of",
  put_folder_summary: "wrote a summary of a folder",
  rebuild_folder_summary: "made the summary of a folder anew",
  put_knowledge_base_summary: "wrote a summary of a knowledge base",
  rebuild_knowledge_base_summary: "made the summary of a knowledge base anew",
  add_localization: "added a language to",
  change_localization: "changed a language of",
  delete_localization: "took away a language of",
  activate_localization: "gave languages to",
  deactivate_localization: "took away all other languages of",
  create_translation_job: "asked for a machine translation of",
  apply_translation_job: "took over a machine translation",
  review_translation_unit: "reviewed a translation of",
  upload_attachment: "uploaded a file",
  delete_attachment: "deleted a file",
  restore_attachment: "brought back a file",
  ensure_public_share: "turned the share link on for",
  withdraw_public_share: "turned the share link off for",
  ensure_folder_public_share: "turned on the share link of a folder",
  withdraw_folder_public_share: "turned off the share link of a folder",
  create_folder: "made a folder",
  change_folder: "renamed or moved a folder",
  delete_folder: "deleted a folder",
  create_knowledge_base: "made a knowledge base",
  rename_knowledge_base: "renamed a knowledge base",
  delete_knowledge_base: "deleted a knowledge base",
  import_knowledge_base: "imported a knowledge base",
  put_knowledge_base_access: "changed who may see a knowledge base",
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

interface Done {
  readonly action: string;
  readonly person: string | null;
  /** The page it was done to, as far as it is there. */
  readonly page: { readonly id: string; readonly title: string } | undefined;
}

/** `create_document` as `create document`, where no words are known. */
const plainWords = (action: string): string => action.replaceAll("_", " ");

/** “Ada rewrote *How we deploy*”, linked. */
export const activitySentence = ({ action, person, page }: Done): Part => {
  const known = words[action];
  const object = page
    ? html` <a href="/documents/${page.id}"><bdi>${page.title}</bdi></a>`
    : known && /\b(of|to|on|for|deleted|copied|rewrote|edited)$/.test(known) && " a page";
  return html`<bdi>${person ?? "Somebody who is gone"}</bdi> ${known ?? html`did: ${plainWords(action)}`}${object}`;
};
