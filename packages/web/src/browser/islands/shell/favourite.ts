import { api } from "../common/api.ts";
import { readPage } from "../common/read-page.ts";
import { attempt } from "../common/toast.ts";

/** The favourites in the sidebar, as they are now. */
async function showFavourites(): Promise<void> {
  const [old, fresh] = [document, await readPage(location.pathname)].map((page) =>
    page?.querySelector("[data-favourites]"),
  );
  if (old && fresh) old.replaceWith(fresh);
}

/** The star beside a document's title. */
export function startFavourite(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-favourite]");
  const id = button?.dataset.favourite;
  if (!button || !id) return;
  button.addEventListener("click", () =>
    attempt(async () => {
      const isOn = button.ariaPressed === "true";
      button.ariaPressed = String(!isOn);
      if (isOn) await api.delete("/me/favourites/{id}", { path: { id } });
      else await api.put("/me/favourites/{id}", { path: { id } });
      await showFavourites();
    }),
  );
}
