import { Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";

/** The place behind a space that the editor put after what was chosen from a menu. */
const key = new PluginKey<number | undefined>("ownSpace");

/** Says of a transaction that it ended with a space of the editor's own, right before the caret. */
export const markOwnSpace = (tr: Transaction): Transaction => tr.setMeta(key, true);

const isSign = (text: string): boolean => /^[.,;:!?)\]]$/.test(text);

/** A space typed behind the editor's own is not doubled, and a punctuation mark takes the place of it. */
export const ownSpace = () =>
  new Plugin<number | undefined>({
    key,
    state: {
      init: () => undefined,
      apply: (tr, before) => {
        const meta = tr.getMeta(key);
        if (meta !== undefined) return meta ? tr.selection.from : undefined;
        if (before === undefined) return undefined;
        const place = tr.mapping.map(before, -1);
        return tr.docChanged || tr.selection.from === place ? place : undefined;
      },
    },
    props: {
      handleTextInput: (view, from, to, text) => {
        if (from !== to || key.getState(view.state) !== from) return false;
        if (text !== " " && !isSign(text)) return false;
        const { tr } = view.state;
        view.dispatch(isSign(text) ? tr.insertText(text, from - 1, from) : tr.setMeta(key, false));
        return true;
      },
    },
  });
