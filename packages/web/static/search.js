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
