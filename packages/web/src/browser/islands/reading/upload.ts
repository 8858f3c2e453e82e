import { uploadAttachment } from "@svc/sdk";
import { api, explain } from "../common/api.ts";
import { droppedFiles, type Refused, refusalText, refusedFolders } from "../common/dropped-files.ts";
import { toast, toastAfter } from "../common/toast.ts";

/** Files of a document: by the button, dropped on the page, or pasted. */
export function startUpload(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-upload]");
  const id = field?.dataset.upload;
  if (!field || !id) return;
  const send = (files: Iterable<File>, folders: readonly string[] = []) => upload(id, [...files], folders);
  /** The editor takes files into its text. */
  const isEdited = () => document.querySelector("[data-live-editor]") !== null;
  field.addEventListener("change", () => {
    const files = [...(field.files ?? [])];
    // So that choosing the same file again is a change again.
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

/** One file that is refused does not keep the others back. */
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
  // The list of files is in view when the page is back.
  location.hash = "files";
  location.reload();
}
