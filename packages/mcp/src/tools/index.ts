import type { Tool } from "../tool.ts";
import { connectorFetch } from "./connector/fetch.ts";
import { connectorSearch } from "./connector/search.ts";
import { changeComment } from "./discussion/change-comment.ts";
import { comment } from "./discussion/comment.ts";
import { decideSuggestion } from "./discussion/decide-suggestion.ts";
import { getDiscussion } from "./discussion/get-discussion.ts";
import { getSuggestions } from "./discussion/get-suggestions.ts";
import { withdrawSuggestion } from "./discussion/withdraw-suggestion.ts";
import { changeConcepts } from "./knowledge/change-concepts.ts";
import { changeRelations } from "./knowledge/change-relations.ts";
import { changeTranslations } from "./knowledge/change-translations.ts";
import { getConcepts } from "./knowledge/get-concepts.ts";
import { getRelations } from "./knowledge/get-relations.ts";
import { getSummary } from "./knowledge/get-summary.ts";
import { getTranslations } from "./knowledge/get-translations.ts";
import { saveSummary } from "./knowledge/save-summary.ts";
import { getChanges } from "./news/get-changes.ts";
import { getHistory } from "./news/get-history.ts";
import { getNotifications } from "./news/get-notifications.ts";
import { markNotifications } from "./news/mark-notifications.ts";
import { watch } from "./news/watch.ts";
import { browse } from "./pages/browse.ts";
import { createDocument } from "./pages/create-document.ts";
import { editBlocks } from "./pages/edit-blocks.ts";
import { editMarkdown } from "./pages/edit-markdown.ts";
import { moveSection } from "./pages/move-section.ts";
import { organize } from "./pages/organize.ts";
import { readDocument } from "./pages/read-document.ts";
import { readSpreadsheet } from "./pages/read-spreadsheet.ts";
import { rollBack } from "./pages/roll-back.ts";
import { search } from "./pages/search.ts";
import { uploadFile } from "./pages/upload-file.ts";
import { writeDocument } from "./pages/write-document.ts";

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
  uploadFile,
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

/** The tools of the set `connector`. */
export const connectorTools: readonly Tool[] = [connectorSearch, connectorFetch];
