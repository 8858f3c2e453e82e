import { loadIsland } from "../lazy.ts";
import type { Trigger } from "./triggers.ts";

const MAX_FOUND = 12;

/** `:` and at least two letters offer emoji by name. */
export const emojiMenu: Trigger = {
  label: "Emoji",
  pattern: /(?:^|\s)(?<sign>:)(?<query>[a-z][a-z ]{1,19})$/,
  find: async ({ editor, query, place }) => {
    const { emojis } = await loadIsland("emoji");
    const isBegun = ([, name]: readonly [string, string]) => name.split(" ").some((word) => word.startsWith(query));
    return emojis
      .filter((one) => isBegun(one) || one[1].includes(query))
      .sort((a, b) => Number(isBegun(b)) - Number(isBegun(a)))
      .slice(0, MAX_FOUND)
      .map(([sign, name]) => ({
        label: `${sign} ${name}`,
        run: () => void editor.chain().focus().insertContentAt(place(), sign).run(),
      }));
  },
};
