/** Searches while typing; without this script the form has a button for it. */
const input = document.getElementById("q");
const results = document.getElementById("results");
let timer;
let asking;

input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, 200);
});

input.form.querySelector("[name=tag]").addEventListener("change", ask);

/** A folder belongs to its knowledge base: choosing another one changes the offered folders. */
for (const select of input.form.querySelectorAll("select"))
  select.addEventListener("change", () => {
    if (select.name === "base")
      for (const folder of input.form.querySelectorAll("select[name=folder]")) folder.value = "";
    if (select.name === "base") input.form.requestSubmit();
    else ask();
  });

/** The filters that are set. */
function address() {
  const fields = [...new FormData(input.form)].map(([name, value]) => [name, value.trim()]);
  return `${input.form.action}?${new URLSearchParams(fields.filter(([name, value]) => name === "q" || value !== ""))}`;
}

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const here = address();
  try {
    const reply = await fetch(`${here}&part=results`, { signal: asking.signal });
    if (!reply.ok || reply.redirected) return;
    results.innerHTML = await reply.text();
    history.replaceState(null, "", here);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

/** Arrow keys walk from the field through the results; Enter opens, with Ctrl in a new tab. */
document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const links = [...results.querySelectorAll(".hit-link, .hit-place")].filter((link) => link.checkVisibility());
  const at = links.indexOf(document.activeElement);
  if (at < 0 && document.activeElement !== input) return;
  const next = at + (event.key === "ArrowDown" ? 1 : -1);
  if (next >= links.length || next < -1) return;
  event.preventDefault();
  (links[next] ?? input).focus();
});
