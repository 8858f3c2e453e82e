import { type Editor, Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { formToken } from "../islands/common/api.ts";
import { at } from "../islands/common/base-path.ts";
import {
  type Dropped,
  droppedFiles,
  type Refused,
  refusalText,
  refusedFolders,
} from "../islands/common/dropped-files.ts";
import { element } from "../islands/common/element.ts";
import { toast } from "../islands/common/toast.ts";
import { newBlockId, newUlid } from "../live-page/new-id.ts";
import { childrenOf, idOfNode } from "./block-json.ts";
import { wholeOf } from "./part/whole-document.ts";
import { stage } from "./stage.ts";

/** The server's answer about an accepted file. */
interface Taken {
  readonly id: string;
  readonly content_type: string;
}

/** Uploads a file and reports its progress. */
const send = (documentId: string, file: File, progress: (part: number) => void): Promise<Taken> =>
  new Promise((resolve, reject) => {
    const form = new FormData();
    form.set("document_id", documentId);
    form.set("file", file, file.name || "pasted.png");
    const request = new XMLHttpRequest();
    request.open("POST", at("/app/api/v1/attachments"));
    request.setRequestHeader("x-form-token", formToken());
    request.setRequestHeader("idempotency-key", newUlid());
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => progress(total > 0 ? loaded / total : 0));
    request.addEventListener("error", () => reject(new Error("The server cannot be reached.")));
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(request.response.data);
      else reject(new Error(request.response?.error?.message ?? `The upload failed (${request.status}).`));
    });
    request.send(form);
  });

interface FileNode {
  readonly type: string;
  readonly attrs: Readonly<Record<string, string>>;
}

/** The block ids from the start to the one after which a file goes: the last one that still exists when it arrives. */
type InsertAnchor = readonly string[];

function anchorAfter(editor: Editor, id: string | undefined): InsertAnchor {
  if (id === undefined) return [];
  const order = wholeOf(editor)?.order ?? childrenOf(editor.state.doc).flatMap((node) => idOfNode(node) ?? []);
  return order.slice(0, order.indexOf(id) + 1);
}

/**
 * Inserts a file at a position, even if it has moved or is not shown. Leaves an empty paragraph after the file and the
 * caret where it is. Returns the position of the next file.
 */
function insertAt(editor: Editor, at: InsertAnchor, json: FileNode): InsertAnchor {
  const own = newBlockId();
  const made = editor.schema.nodeFromJSON({ ...json, attrs: { ...json.attrs, id: own } });
  const whole = wholeOf(editor);
  const shown = new Set(childrenOf(editor.state.doc).map(idOfNode));
  const id = at.findLast((one) => shown.has(one) || whole?.has(one));
  if (id !== undefined && whole && !shown.has(id)) {
    whole.insertBehind(id, made);
    return [...at, own];
  }
  let place = 0;
  let isEmpty = false;
  editor.state.doc.forEach((node, position) => {
    if (id === undefined || idOfNode(node) !== id) return;
    isEmpty = node.type.name === "paragraph" && node.content.size === 0;
    place = isEmpty ? position : position + node.nodeSize;
  });
  editor.view.dispatch(editor.state.tr.insert(place, made).scrollIntoView());
  return isEmpty ? at : [...at, own];
}

/** Whether the server sends a file for display; others, including SVG, are sent as downloads. */
const isPicture = ({ content_type }: Taken): boolean => /^image\/(a?png|jpeg|gif|webp|avif)$/.test(content_type);

const nodeOf = (taken: Taken, { name }: File): FileNode =>
  isPicture(taken)
    ? { type: "image", attrs: { attachmentId: taken.id, alt: name } }
    : { type: "attachment", attrs: { attachmentId: taken.id, name } };

/**
 * Uploads files one after the other and inserts each after the block they were dropped on. A refused file does not stop
 * the others.
 */
async function upload(editor: Editor, documentId: string, { files, folders }: Dropped, block: string | undefined) {
  let place = anchorAfter(editor, block);
  const refused: Refused[] = refusedFolders(folders);
  const note = element("progress", { class: "editor-upload", max: 1, value: 0, "aria-label": "Upload" });
  stage().append(note);
  // Asks before leaving the page.
  const hold = (event: Event) => event.preventDefault();
  addEventListener("beforeunload", hold);
  for (const file of files)
    try {
      const taken = await send(documentId, file, (part) => {
        note.value = part;
      });
      place = insertAt(editor, place, nodeOf(taken, file));
    } catch (error) {
      refused.push({ name: file.name, reason: error instanceof Error ? error.message : String(error) });
    }
  note.remove();
  removeEventListener("beforeunload", hold);
  if (refused.length > 0) toast(refusalText(refused));
}

/** The top-level block at a position, or before it. */
function blockAt(editor: Editor, position: number): string | undefined {
  const { doc } = editor.state;
  const $at = doc.resolve(position);
  const node = $at.depth === 0 ? $at.nodeBefore : $at.node(1);
  return node ? idOfNode(node) : undefined;
}

/** The position in the text at the pointer's height, even beside the text. */
function positionAt(view: EditorView, { clientX, clientY }: DragEvent): number {
  const { left, right, top, bottom } = view.dom.getBoundingClientRect();
  const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least + 1), most - 1);
  const found = view.posAtCoords({ left: within(clientX, left, right), top: within(clientY, top, bottom) });
  return found?.pos ?? view.state.selection.to;
}

/** Accepts a file dropped beside the text; the browser would otherwise leave the page to show it. */
function takeBeside(take: (event: DragEvent) => void): { destroy: () => void } {
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
  const over = (event: DragEvent) => {
    if (isFile(event)) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    if (event.defaultPrevented || !isFile(event)) return;
    event.preventDefault();
    take(event);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return {
    destroy: () => {
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    },
  };
}

/** Files that are pasted or dropped into the text. */
export const filesOf = (documentId: string) =>
  Extension.create({
    name: "files",
    addProseMirrorPlugins() {
      const { editor } = this;
      const take = (data: DataTransfer | null, position: number): boolean => {
        if (!data?.files.length || !editor.isEditable) return false;
        void upload(editor, documentId, droppedFiles(data), blockAt(editor, position));
        return true;
      };
      return [
        new Plugin({
          props: {
            handlePaste: (view, event) => {
              // Spreadsheets and word processors add a picture of the text: paste the text.
              const hasText = event.clipboardData?.types.some((type) => type.startsWith("text/")) === true;
              return !hasText && take(event.clipboardData, view.state.selection.to);
            },
            handleDrop: (view, event) => take(event.dataTransfer, positionAt(view, event)),
          },
          view: (view) => takeBeside((event) => take(event.dataTransfer, positionAt(view, event))),
        }),
      ];
    },
  });

/** Asks for files; they go where the caret is. */
export function chooseFiles(editor: Editor, documentId: string): void {
  const field = element("input", { type: "file", multiple: true, "aria-label": "Files to upload", hidden: true });
  field.addEventListener("change", () => {
    const chosen = { files: [...(field.files ?? [])], folders: [] };
    void upload(editor, documentId, chosen, blockAt(editor, editor.state.selection.to));
    field.remove();
  });
  stage().append(field);
  field.click();
}
