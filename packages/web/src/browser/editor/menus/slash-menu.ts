import { NodeSelection } from "@tiptap/pm/state";
import { matches } from "../../match.ts";
import { FILL_IN } from "./insert-block.ts";
import { insertables, lookOf } from "./insertables.ts";
import type { Trigger } from "./triggers.ts";

/** The number of blocks before the first choice that needs the page: an image or file. */
const COMMON = insertables.findIndex(({ name }) => name === "Table") + 1;

/** `/` at the start of a word offers everything that can be inserted. `more` are choices that need the page. */
export const slashMenu = (
  more: readonly { readonly name: string; readonly words?: string; readonly run: () => void }[],
): Trigger => ({
  label: "Insert",
  pattern: /(?:^|\s)(?<sign>\/)(?<query>[\p{L}\d][\p{L}\d ]{0,29}|)$/u,
  find: ({ editor, query, place }) => {
    const take = () => editor.chain().focus().deleteRange(place());
    const blocks = insertables.map(({ name, words, run }) => ({
      name,
      words,
      run: () => {
        run(take()).run();
        if (editor.state.selection instanceof NodeSelection) editor.view.dom.dispatchEvent(new Event(FILL_IN));
      },
    }));
    const others = more.map(({ name, words = "", run }) => ({
      name,
      words,
      run: () => {
        take().run();
        run();
      },
    }));
    const common = blocks.slice(0, COMMON);
    const all = [...common, ...others.slice(0, 1), ...blocks.slice(COMMON), ...others.slice(1)];
    const typed = query.trim().toLowerCase();
    const isPart = ({ name, words }: { name: string; words: string }) =>
      `${name} ${words}`.toLowerCase().includes(typed);
    const exact = all.filter(isPart);
    const found = exact.length > 0 ? exact : all.filter(({ name }) => matches(name, typed));
    // Headings only help in the whole list.
    return found.map(({ name, run }) => {
      const { icon, group, keys } = lookOf(name);
      return { label: name, icon, keys, ...(typed === "" && { group }), run };
    });
  },
});
