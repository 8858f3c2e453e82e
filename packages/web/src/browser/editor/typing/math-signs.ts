import { Extension, InputRule } from "@tiptap/core";

/**
 * `$x^2$` in a line, once a space or the end of a clause follows it: the amounts in "$5 or $10" are none, for no sign
 * of theirs stands right behind a letter and before a space.
 */
const FORMULA = /(?:^|[\s(])\$([^\s$](?:[^$]*[^\s$])?)\$([\s.,;:!?)])$/;

export const MathSigns = Extension.create({
  name: "mathSigns",
  addInputRules: () => [
    new InputRule({
      find: FORMULA,
      handler: ({ state: { tr, schema }, range, match }) => {
        const [whole, latex = "", behind = ""] = match;
        const from = range.from + whole.indexOf("$");
        // The last letter is not in the text yet.
        tr.replaceWith(from, range.to, [schema.node("inlineMath", { latex }), schema.text(behind)]);
      },
    }),
  ],
});
