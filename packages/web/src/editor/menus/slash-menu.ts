import { matches } from "../../match.ts";
import { insertables } from "./insertables.ts";
import type { Trigger } from "./triggers.ts";

/** Of the blocks, before the first choice that needs the page: a picture or file. */
const COMMON = insertables.findIndex(({ name }) => name === "Table") + 1;

/** `/` at the beginning of a word offers everything that can be made. `more` are choices that need the page. */
export const slashMenu = (more: readonly { readonly name: string; readonly run: () => void }[]): Trigger => ({
  label: "Insert",
  pattern: /(?:^|\s)(?<sign>\/)(?<query>[\p{L}\d][\p{L}\d ]{0,29}|)$/u,
  find: ({ editor, query, place }) => {
    const take = () => editor.chain().focus().deleteRange(place());
    const blocks = insertables.map(({ name, words, run }) => ({ name, words, run: () => void run(take()).run() }));
    const others = more.map(({ name, run }) => ({
      name,
      words: "",
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
    return found.map(({ name, run }) => ({ label: name, run }));
  },
});
