/** Copy buttons need this script. */
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    const done = await copy(source);
    button.textContent = done ? "Copied" : "Selected: press Ctrl+C";
    setTimeout(() => {
      button.textContent = label;
    }, 2500);
  });
}

/** Selects the text if the clipboard is not available. */
async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return document.execCommand("copy");
  }
}

/** This page answers a form: reloading reads a page instead of sending the form again. */
const { href } = document.documentElement.dataset;
if (href) history.replaceState(null, "", href);

/** Scrolls the current tab into view if the tabs do not fit. */
for (const tab of document.querySelectorAll(":is(.tabs, .settings-list) [aria-current]")) {
  const line = tab.closest("nav");
  if (tab.getBoundingClientRect().right > line.getBoundingClientRect().right)
    line.scrollLeft += tab.getBoundingClientRect().left - line.getBoundingClientRect().left - 16;
}

/** Escape closes a confirmation. */
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const open of document.querySelectorAll("details.confirm[open]")) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});

/** `/` leads to the search field, unless one is writing. */
const shortcut = document.querySelector("[data-shortcut]");
document.addEventListener("keydown", (event) => {
  const isWriting = event.target.closest("input, textarea, select, [contenteditable]");
  if (!shortcut || event.key !== shortcut.dataset.shortcut || isWriting) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  shortcut.select();
});

/** Keeps the fragment of the wanted address over the sign-in. */
for (const way of location.hash ? document.querySelectorAll(".card-entry form, .ways-in a") : []) {
  const key = way instanceof HTMLFormElement ? "action" : "href";
  const url = new URL(way[key]);
  const next = url.searchParams.get("next");
  if (next !== null) url.searchParams.set("next", next.split("#")[0] + location.hash);
  way[key] = url.href;
}

/** The exact time behind each time, in this person's zone and form; without this script it is in UTC. */
const { zone, dates } = document.documentElement.dataset;
const moment = new Intl.DateTimeFormat(dates === "iso" ? "sv-SE" : "en-GB", {
  ...(dates === "iso" ? { dateStyle: "short", timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" }),
  ...(zone && { timeZone: zone }),
});
for (const time of document.querySelectorAll("time[datetime]")) time.title = moment.format(new Date(time.dateTime));

/** Keeps the browser's time zone for pages that the server writes. */
const home = new URL(document.querySelector("a.brand")?.href ?? "/", location.href).pathname;
const ownZone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
if (!document.cookie.includes(`svc_zone=${ownZone}`))
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface exists behind TLS only.
  document.cookie = `svc_zone=${ownZone}; path=${home}; max-age=31536000; samesite=lax`;
