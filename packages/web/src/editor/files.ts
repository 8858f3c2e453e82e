import { type Editor, Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { formToken } from "../islands/shell/api.ts";
import { at } from "../islands/shell/base-path.ts";
import { element } from "../islands/shell/element.ts";
import { toast } from "../islands/shell/toast.ts";
import { newBlockId } from "../live-page/new-id.ts";
import { idOfNode } from "./block-json.ts";
import { wholeOf } from "./part/whole-document.ts";
import { stage } from "./stage.ts";

/** Uploads a file and reports its progress. Returns the id of the attachment. */
const send = (documentId: string, file: File, progress: (part: number) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const form = new FormData();
    form.set("document_id", documentId);
    form.set("file", file, file.name || "pasted.png");
    const request = new XMLHttpRequest();
    request.open("POST", at("/app/api/v1/attachments"));
    request.setRequestHeader("x-form-token", formToken());
    request.setRequestHeader("idempotency-key", crypto.randomUUID());
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => progress(total > 0 ? loaded / total : 0));
    request.addEventListener("error", () => reject(new Error("The server cannot be reached.")));
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(String(request.response.data.id));
      else reject(new Error(request.response?.error?.message ?? `The upload failed (${request.status}).`));
    });
    request.send(form);
  });

interface FileNode {
  readonly type: string;
  readonly attrs: Readonly<Record<string, string>>;
}

/**
 * Puts a file behind a block, wherever it stands by then, also where it is not shown; at the end if it is gone. An empty
 * paragraph stays behind the file, and the caret where it is, so that one writes on. Answers the block that the next file
 * goes behind.
 */
function insertBehind(editor: Editor, id: string | undefined, json: FileNode): string | undefined {
  const own = newBlockId();
  const made = editor.schema.nodeFromJSON({ ...json, attrs: { ...json.attrs, id: own } });
  const whole = wholeOf(editor);
  if (id !== undefined && whole?.has(id) && !whole.isShown(id)) {
    whole.insertBehind(id, made);
    return own;
  }
  let place = editor.state.doc.content.size;
  let isEmpty = false;
  editor.state.doc.forEach((node, position) => {
    if (id === undefined || idOfNode(node) !== id) return;
    isEmpty = node.type.name === "paragraph" && node.content.size === 0;
    place = isEmpty ? position : position + node.nodeSize;
  });
  editor.view.dispatch(editor.state.tr.insert(place, made).scrollIntoView());
  return isEmpty ? id : own;
}

/** Uploads files one after the other and puts each into the text, behind the block that they were given to. */
async function upload(editor: Editor, documentId: string, files: readonly File[], block: string | undefined) {
  let behind = block;
  const note = element("progress", { class: "editor-upload", max: 1, value: 0, "aria-label": "Upload" });
  stage().append(note);
  try {
    for (const file of files) {
      const id = await send(documentId, file, (part) => {
        note.value = part;
      });
      const isPicture = file.type.startsWith("image/");
      const node: FileNode = isPicture
        ? { type: "image", attrs: { attachmentId: id, alt: file.name } }
        : { type: "attachment", attrs: { attachmentId: id, name: file.name } };
      behind = insertBehind(editor, behind, node);
    }
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  } finally {
    note.remove();
  }
}

/** The top-level block at a position, or before it. */
function blockAt(editor: Editor, position: number): string | undefined {
  const { doc } = editor.state;
  const $at = doc.resolve(position);
  const node = $at.depth === 0 ? $at.nodeBefore : $at.node(1);
  return node ? idOfNode(node) : undefined;
}

/** Files that are pasted or dropped into the text. */
export const filesOf = (documentId: string) =>
  Extension.create({
    name: "files",
    addProseMirrorPlugins() {
      const { editor } = this;
      const take = (files: FileList | undefined, position: number): boolean => {
        if (!files?.length || !editor.isEditable) return false;
        void upload(editor, documentId, [...files], blockAt(editor, position));
        return true;
      };
      return [
        new Plugin({
          props: {
            handlePaste: (view, event) => {
              // A spreadsheet or a word processor adds a picture of the text: the text is meant.
              const hasText = event.clipboardData?.types.some((type) => type.startsWith("text/")) === true;
              return !hasText && take(event.clipboardData?.files, view.state.selection.to);
            },
            handleDrop: (view, event) => {
              const found = view.posAtCoords({ left: event.clientX, top: event.clientY });
              return take(event.dataTransfer?.files, found?.pos ?? view.state.selection.to);
            },
          },
        }),
      ];
    },
  });

/** Asks for files; they go where the caret is. */
export function chooseFiles(editor: Editor, documentId: string): void {
  const field = element("input", { type: "file", multiple: true, "aria-label": "Files to upload", hidden: true });
  field.addEventListener("change", () => {
    void upload(editor, documentId, [...(field.files ?? [])], blockAt(editor, editor.state.selection.to));
    field.remove();
  });
  stage().append(field);
  field.click();
}
