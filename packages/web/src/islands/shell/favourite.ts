import { api } from "./api.ts";
import { attempt } from "./toast.ts";

/** The star beside a document's title. */
export function startFavourite(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-favourite]");
  const id = button?.dataset.favourite;
  if (!button || !id) return;
  button.hidden = false;
  button.addEventListener("click", () =>
    attempt(async () => {
      const isOn = button.ariaPressed === "true";
      button.ariaPressed = String(!isOn);
      if (isOn) await api.delete("/me/favourites/{id}", { path: { id } });
      else await api.put("/me/favourites/{id}", { path: { id } });
    }),
  );
}
