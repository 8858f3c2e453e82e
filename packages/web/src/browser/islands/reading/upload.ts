import { uploadAttachment } from "@svc/sdk";
import { api, explain } from "../common/api.ts";
import { droppedFiles, type Refused, refusalText, refusedFolders } from "../common/dropped-files.ts";
import { toast, toastAfter } from "../common/toast.ts";

/** Uploads files that the person chooses, drops on the page or pastes. */
export function startUpload(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-upload]");
  const id = field?.dataset.upload;
  if (!field || !id) return;
  const send = (files: Iterable<File>, folders: readonly string[] = []) => upload(id, [...files], folders);
  /** Whether the editor is open: it inserts dropped files into the text. */
  const isEdited = () => document.querySelector("[data-live-editor]") !== null;
  field.addEventListener("change", () => {
    const files = [...(field.files ?? [])];
    // Clearing the field makes choosing the same file again a change.
    field.value = "";
    send(files);
  });
  addEventListener("dragover", (event) => {
    if (!isEdited() && event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (isEdited() || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    const { files, folders } = droppedFiles(event.dataTransfer);
    send(files, folders);
  });
  addEventListener("paste", (event) => {
    const isField = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
    if (!isField && event.clipboardData?.files.length) send(event.clipboardData.files);
  });
}

const countOf = (files: readonly File[]): string =>
  files.length === 1 ? `${files[0]?.name}` : `${files.length} files`;

/** Uploads each file, and continues after one that is refused. */
async function upload(id: string, files: readonly File[], folders: readonly string[]): Promise<void> {
  if (files.length > 0) toast(`Uploading ${countOf(files)}…`);
  const refused: Refused[] = refusedFolders(folders);
  const taken: File[] = [];
  for (const file of files)
    try {
      await uploadAttachment(api, { documentId: id, fileName: file.name || "pasted.png", content: file });
      taken.push(file);
    } catch (error) {
      refused.push({ name: file.name, reason: explain(error) });
    }
  if (taken.length === 0) {
    if (refused.length > 0) toast(refusalText(refused));
    return;
  }
  toastAfter([`Uploaded ${countOf(taken)}.`, refusalText(refused)].join(" ").trim());
  // The page reloads at its list of files.
  location.hash = "files";
  location.reload();
}
