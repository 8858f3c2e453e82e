import type { Node as EditorNode } from "@tiptap/pm/model";
import { element } from "../../islands/common/element.ts";
import { loadIsland } from "../lazy.ts";

/** Renders a formula, with errors in its source below it. */
export function mathView(node: EditorNode) {
  const isBlock = node.type.name === "blockMath";
  const dom = element(isBlock ? "div" : "span", { "data-type": node.type.name, class: "math-view" });
  const show = (latex: string) => {
    dom.dataset.latex = latex;
    dom.classList.remove("math-wrong");
    if (latex.trim() === "") {
      dom.replaceChildren(element("span", { class: "math-empty" }, isBlock ? "Formula" : "x"));
      return;
    }
    loadIsland("math").then(
      ({ renderMath }) => {
        if (dom.dataset.latex !== latex) return;
        const set = element("span", { class: isBlock ? "math math-block" : "math math-inline" });
        const problem = renderMath(latex, set, isBlock);
        dom.classList.toggle("math-wrong", problem !== undefined);
        if (problem === undefined) dom.replaceChildren(set);
        else dom.replaceChildren(element("code", { title: problem }, latex));
      },
      () => dom.replaceChildren(element("code", {}, latex)),
    );
  };
  show(String(node.attrs.latex ?? ""));
  return {
    dom,
    update: (now: EditorNode) => {
      if (now.type !== node.type) return false;
      if (String(now.attrs.latex ?? "") !== dom.dataset.latex) show(String(now.attrs.latex ?? ""));
      return true;
    },
    ignoreMutation: () => true,
  };
}
