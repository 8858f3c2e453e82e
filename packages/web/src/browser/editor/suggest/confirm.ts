import { element } from "../../islands/common/element.ts";

/** Asks before something is lost; Escape and the first button keep it. */
export function confirmLoss(question: string, keepLabel: string, loseLabel: string): Promise<boolean> {
  const keep = element("button", { type: "button", class: "button" }, keepLabel);
  const lose = element("button", { type: "button", class: "button button-danger" }, loseLabel);
  const dialog = element(
    "dialog",
    { class: "editor-help", "aria-label": question },
    element("p", {}, question),
    element("div", { class: "row-actions" }, keep, lose),
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    let isLost = false;
    keep.addEventListener("click", () => dialog.close());
    lose.addEventListener("click", () => {
      isLost = true;
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(isLost);
    });
    dialog.showModal();
  });
}
