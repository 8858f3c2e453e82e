import type { Tool } from "../tool.ts";
import { browse } from "./browse.ts";
import { changeComment } from "./change-comment.ts";
import { changeConcepts } from "./change-concepts.ts";
import { changeRelations } from "./change-relations.ts";
import { changeTranslations } from "./change-translations.ts";
import { comment } from "./comment.ts";
import { createDocument } from "./create-document.ts";
import { decideSuggestion } from "./decide-suggestion.ts";
import { editBlocks } from "./edit-blocks.ts";
import { editMarkdown } from "./edit-markdown.ts";
import { getChanges } from "./get-changes.ts";
import { getConcepts } from "./get-concepts.ts";
import { getDiscussion } from "./get-discussion.ts";
import { getHistory } from "./get-history.ts";
import { getNotifications } from "./get-notifications.ts";
import { getRelations } from "./get-relations.ts";
import { getSuggestions } from "./get-suggestions.ts";
import { getSummary } from "./get-summary.ts";
import { getTranslations } from "./get-translations.ts";
import { markNotifications } from "./mark-notifications.ts";
import { moveSection } from "./move-section.ts";
import { organize } from "./organize.ts";
import { readDocument } from "./read-document.ts";
import { readSpreadsheet } from "./read-spreadsheet.ts";
import { rollBack } from "./roll-back.ts";
import { saveSummary } from "./save-summary.ts";
import { search } from "./search.ts";
import { watch } from "./watch.ts";
import { withdrawSuggestion } from "./withdraw-suggestion.ts";
import { writeDocument } from "./write-document.ts";

/** Every tool: those that read, then those that write, the most used first. */
export const tools: readonly Tool[] = [
  search,
  browse,
  readDocument,
  getChanges,
  getHistory,
  getDiscussion,
  getNotifications,
  getSuggestions,
  getSummary,
  getRelations,
  getConcepts,
  getTranslations,
  readSpreadsheet,
  editMarkdown,
  createDocument,
  writeDocument,
  moveSection,
  organize,
  rollBack,
  comment,
  decideSuggestion,
  changeComment,
  withdrawSuggestion,
  markNotifications,
  watch,
  editBlocks,
  changeRelations,
  saveSummary,
  changeConcepts,
  changeTranslations,
];
