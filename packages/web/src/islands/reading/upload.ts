import { uploadAttachment } from "@svc/sdk";
import { api } from "../shell/api.ts";
import { attempt, toast, toastAfter } from "../shell/toast.ts";

/** Files of a document: by the button, dropped on the page, or pasted. */
export function startUpload(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-upload]");
  const id = field?.dataset.upload;
  if (!field || !id) return;
  const send = (files: Iterable<File>) => attempt(() => upload(id, [...files]));
  field.parentElement?.removeAttribute("hidden");
  field.addEventListener("change", () => send(field.files ?? []));
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    send(event.dataTransfer.files);
  });
  addEventListener("paste", (event) => {
    const isField = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
    if (!isField && event.clipboardData?.files.length) send(event.clipboardData.files);
  });
}

async function upload(id: string, files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  toast(files.length === 1 ? `Uploading ${files[0]?.name}…` : `Uploading ${files.length} files…`);
  for (const file of files)
    await uploadAttachment(api, { documentId: id, fileName: file.name || "pasted.png", content: file });
  toastAfter(files.length === 1 ? `Uploaded ${files[0]?.name}.` : `Uploaded ${files.length} files.`);
  location.reload();
}
