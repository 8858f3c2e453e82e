import { Extension, InputRule } from "@tiptap/core";

/**
 * Matches `$x^2$` in a line when a space or punctuation follows it. The amounts in "$5 or $10" do not match, because
 * neither `$` is between a character and a space.
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
