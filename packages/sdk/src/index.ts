export * from "./changes-since.ts";
export * from "./client.ts";
export { type ConflictOptions, isConflict, retryConflicts } from "./conflicts.ts";
export * from "./cursors.ts";
export * from "./device-login.ts";
export {
  type Download,
  type DownloadOptions,
  downloadAttachment,
  exportFolder,
  exportKnowledgeBase,
  exportSpreadsheet,
} from "./download.ts";
export * from "./errors.ts";
export * from "./events.ts";
export type * from "./generated/api.ts";
export * from "./jobs.ts";
export * from "./list.ts";
export { MAX_ANSWER_BYTES } from "./read-limited.ts";
export { defaultRetry, type RetryNotice, type RetryPolicy } from "./retry.ts";
export * from "./suggested.ts";
export * from "./update-content.ts";
export { importKnowledgeBase, type Source, type UploadOptions, uploadAttachment } from "./upload.ts";
export { VERSION } from "./version.ts";
export * from "./watching.ts";
