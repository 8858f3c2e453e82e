import { matches } from "../../match.ts";
import { insertables } from "./insertables.ts";
import type { Trigger } from "./triggers.ts";

/** `/` at the beginning of a word offers everything that can be made. `more` are choices that need the page. */
export const slashMenu = (more: readonly { readonly name: string; readonly run: () => void }[]): Trigger => ({
  label: "Insert",
  pattern: /(?:^|\s)(?<sign>\/)(?<query>[\p{L}\d][\p{L}\d ]{0,29}|)$/u,
  find: ({ editor, query, place }) => {
    const take = () => editor.chain().focus().deleteRange(place());
    const all = [
      ...insertables.map(({ name, words, run }) => ({ name, words, run: () => void run(take()).run() })),
      ...more.map(({ name, run }) => ({
        name,
        words: "",
        run: () => {
          take().run();
          run();
        },
      })),
    ];
    const typed = query.trim().toLowerCase();
    const isPart = ({ name, words }: { name: string; words: string }) =>
      `${name} ${words}`.toLowerCase().includes(typed);
    const exact = all.filter(isPart);
    const found = exact.length > 0 ? exact : all.filter(({ name }) => matches(name, typed));
    return found.map(({ name, run }) => ({ label: name, run }));
  },
});
