import { html, type Part } from "../../html.ts";

/** What each action did, as the words between who did it and what it was done to. */
const words: Readonly<Record<string, string>> = {
  create_document: "made a page",
  change_document: "changed the title, place or settings of",
  delete_document: "deleted",
  copy_document: "copied",
  put_content: "rewrote",
  insert_blocks: "added to",
  change_block: "edited",
  delete_block: "removed a part of",
  batch: "edited",
  rollback: "restored an earlier version of",
  create_comment: "commented on",
  delete_comment: "deleted a comment",
  restore_comment: "brought back a comment",
  create_suggestion: "proposed a change of",
  create_relation: "linked two pages",
  put_document_summary: "wrote a summary of",
  rebuild_document_summary: "made the summary anew of",
  add_localization: "added a language to",
  activate_localization: "gave languages to",
  create_translation_job: "asked for a machine translation of",
  upload_attachment: "uploaded a file",
  delete_attachment: "deleted a file",
  restore_attachment: "brought back a file",
  ensure_public_share: "turned the share link on for",
  withdraw_public_share: "turned the share link off for",
  create_folder: "made a folder",
  change_folder: "renamed or moved a folder",
  delete_folder: "deleted a folder",
  create_knowledge_base: "made a knowledge base",
  rename_knowledge_base: "renamed a knowledge base",
  delete_knowledge_base: "deleted a knowledge base",
  import_knowledge_base: "imported a knowledge base",
  restore_from_trash: "restored something from the trash",
  create_concept: "made a concept",
  change_concept: "changed a concept",
  merge_concepts: "joined two concepts",
  unmerge_concepts: "took apart two concepts that were joined",
  accept_concept_candidate: "accepted a candidate for a concept",
  reject_concept_candidate: "rejected a candidate for a concept",
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
