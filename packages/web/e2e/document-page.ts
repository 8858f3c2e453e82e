import type { Locator, Page } from "playwright-core";

/** The bar, menus and panels of a document's page, by what people see. */

type Mode = "Editing" | "Suggesting" | "Viewing";

/** The button that says whether the page is edited, suggested on or read. */
export const modeButton = (page: Page, mode?: Mode): Locator =>
  page.getByRole("button", { name: mode ? `Mode: ${mode}` : /^Mode: / });

/** The choices of the mode menu, opened. */
export async function modeChoices(page: Page): Promise<Locator> {
  await modeButton(page).click();
  return page.locator("#menu-mode").getByRole("link");
}

export async function chooseMode(page: Page, mode: Mode): Promise<void> {
  await (await modeChoices(page)).filter({ hasText: mode }).click();
}

/** Shows a panel beside the text, unless it is shown. */
export async function openPanel(page: Page, name: "Contents" | "Comments" | "Info"): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
}

/** The menu of the page, opened. */
export async function pageMenu(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Page menu" }).click();
  return page.locator("#menu-page");
}

/** The public link of the page, opened. */
export async function sharePanel(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  return page.locator("#menu-share");
}
