import { sameJson } from "@svc/document/canonical";
import { proposedChanges } from "@svc/document/suggest/changes";
import type { Node } from "@svc/document/types";
import { ApiError } from "@svc/sdk";
import { documentKit } from "@svc/tiptap-kit/kit";
import { Editor, Extension } from "@tiptap/core";
import { history, redo, undo } from "@tiptap/pm/history";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { explain } from "../../islands/common/api.ts";
import { at } from "../../islands/common/base-path.ts";
import { toast, toastAfter } from "../../islands/common/toast.ts";
import { PromptCaret } from "../binding/caret.ts";
import { BlockIds } from "../binding/ids.ts";
import { markRemote } from "../binding/remote.ts";
import { blockJson, editorNode, idOfNode } from "../block-json.ts";
import { loadMarkdown } from "../clipboard/clipboard.ts";
import { bindContents } from "../contents.ts";
import { featuresOf } from "../features.ts";
import { knowTitles } from "../marks/page-marks.ts";
import { classOfText, scrollRoom } from "../stage.ts";
import { bindToolbar } from "../toolbar.ts";
import { ChangeMarks, compareWith } from "./change-marks.ts";
import { confirmLoss } from "./confirm.ts";
import { changedTo, keepDraft, newDraft, readDraft, rebased, removeDraft, sendDraft, withKey } from "./draft.ts";

/** Pixels for the tools at the top, which must not cover the caret's line. */
const SCROLL_TOP = 170;

/** The delay after the last key before the device saves the draft. */
const KEEP_MS = 300;

const Undo = Extension.create({
  name: "suggestUndo",
  addProseMirrorPlugins: () => [history()],
  addKeyboardShortcuts() {
    const step = (command: typeof undo) => () => command(this.editor.state, this.editor.view.dispatch);
    return { "Mod-z": step(undo), "Mod-y": step(redo), "Shift-Mod-z": step(redo) };
  },
});

/** Starts the editor in suggesting mode: changes are marked, saved on this device, and sent as a suggestion. */
export async function startSuggesting(root: HTMLElement): Promise<void> {
  const { documentId = "", userId = "", documentTitle = "" } = root.dataset;
  const part = (name: string) => document.querySelector<HTMLElement>(`[data-editor-part="${name}"]`)!;
  const form = document.querySelector<HTMLFormElement>('form[data-editor-part="suggest"]')!;
  const note = form.querySelector<HTMLInputElement>("[name=note]")!;
  const send = form.querySelector<HTMLButtonElement>("button[name=send]")!;
  knowTitles(root);
  const features = featuresOf(documentId, "suggest");
  const surface = document.createElement("div");
  const editor = new Editor({
    element: surface,
    injectCSS: false,
    enablePasteRules: false,
    extensions: [...documentKit(), BlockIds, PromptCaret, Undo, ChangeMarks, ...features.extensions],
    editorProps: {
      scrollMargin: scrollRoom(SCROLL_TOP),
      scrollThreshold: scrollRoom(SCROLL_TOP),
      attributes: {
        class: classOfText(root),
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": `Suggest for ${documentTitle}`,
      },
    },
  });
  const page = (path = "") => at(`/documents/${documentId}${path}`);
  let draft = (await readDraft(userId, documentId)) ?? (await newDraft(documentId));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;

  const show = () => {
    const { schema, tr } = editor.state;
    const nodesOf = (blocks: readonly Node[]) => blocks.map((block) => editorNode(schema, block));
    const blocks = nodesOf(draft.blocks);
    tr.replaceWith(0, tr.doc.content.size, blocks.length > 0 ? blocks : [schema.node("paragraph")]);
    editor.view.dispatch(markRemote(compareWith(tr, nodesOf(draft.base))));
    showState();
  };
  const readBlocks = (): readonly Node[] => {
    const before = new Map(draft.base.map((block) => [block.attrs?.id, block]));
    const blocks: Node[] = [];
    editor.state.doc.forEach((node) => {
      const id = idOfNode(node);
      if (id !== undefined) blocks.push(blockJson(node, before.get(id)));
    });
    return draft.base.length === 0 && isBlank(editor.state.doc) ? [] : blocks;
  };
  const changes = () => proposedChanges(draft.base, draft.blocks).length;
  const showState = () => {
    const count = changes();
    const words = count === 1 ? "1 change" : `${count} changes`;
    part("status").textContent = count === 0 ? "No changes yet" : `${words}, saved on this device`;
    part("status").dataset.changes = String(count);
    send.disabled = count === 0 || isSending;
  };
  const keepNow = async () => {
    clearTimeout(timer);
    timer = undefined;
    draft = changedTo(draft, readBlocks(), note.value);
    const isEmpty = draft.note === "" && sameJson(draft.base, draft.blocks);
    await (isEmpty ? removeDraft(userId, documentId) : keepDraft(userId, documentId, draft));
    showState();
  };
  const keepSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void keepNow(), KEEP_MS);
  };
  const leave = async (path: string) => {
    clearTimeout(timer);
    timer = undefined;
    await removeDraft(userId, documentId);
    location.assign(page(path));
  };
  const submit = async () => {
    await keepNow();
    if (isSending || changes() === 0) return;
    setSending(true);
    try {
      draft = withKey(draft);
      await keepDraft(userId, documentId, draft);
      await sendDraft(documentId, draft);
      toastAfter("Suggestion sent for review.");
      return await leave("/suggestions");
    } catch (error) {
      const isOld = error instanceof ApiError && error.code === "version_conflict";
      await (isOld ? standOnNewest() : Promise.reject(error)).catch((reason) => toast(`Not sent: ${explain(reason)}`));
    }
    setSending(false);
  };
  /** Blocks typing while the suggestion is being sent; it would belong to nothing. */
  const setSending = (sends: boolean) => {
    isSending = sends;
    editor.setEditable(!sends, false);
    showState();
  };
  /** The page has changed, and the version that the draft was based on is no longer kept. */
  const standOnNewest = async () => {
    draft = await rebased(documentId, draft);
    show();
    await keepNow();
    toast("The page has changed. Your suggestion is now based on the latest text: check it, and send it again.");
  };
  const cancel = async () => {
    await keepNow();
    const count = changes();
    const question = `Discard ${count === 1 ? "the change" : `the ${count} changes`} that you have not sent?`;
    if (count === 0 || (await confirmLoss(question, "Keep writing", "Discard"))) await leave("");
  };

  root.replaceChildren(surface);
  note.value = draft.note;
  show();
  part("toolbar").hidden = false;
  form.hidden = false;
  bindToolbar(part("toolbar"), editor, () => ({
    undo: () => undo(editor.state, editor.view.dispatch),
    redo: () => redo(editor.state, editor.view.dispatch),
  }));
  features.bind(editor, part);
  bindContents(editor, part("contents"), (id) => scrollToBlock(editor, id));
  editor.on("update", keepSoon);
  note.addEventListener("input", keepSoon);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  form.querySelector("[data-cancel-suggestion]")?.addEventListener("click", () => void cancel());
  addEventListener("beforeunload", (event) => {
    if (timer !== undefined) event.preventDefault();
  });
  void loadMarkdown().then(() => root.toggleAttribute("data-editor-ready", true));
}

function scrollToBlock(editor: Editor, id: string): void {
  editor.state.doc.forEach((node, position) => {
    const block = idOfNode(node) === id ? editor.view.nodeDOM(position) : undefined;
    if (block instanceof Element) block.scrollIntoView({ block: "center" });
  });
}

/** One empty line, as an empty page shows it. */
const isBlank = (doc: EditorNode): boolean =>
  doc.childCount === 1 && doc.child(0).isTextblock && doc.child(0).content.size === 0;
