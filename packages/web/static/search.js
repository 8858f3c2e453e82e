/** Searches while one types; without this script the form does the same with a button. */
const input = document.getElementById("q");
const results = document.getElementById("results");
let timer;
let asking;

input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, 200);
});

document.querySelector("select[name=base]").addEventListener("change", ask);

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const base = document.querySelector("select[name=base]").value;
  const address = `${input.form.action}?${new URLSearchParams({ q: input.value.trim(), ...(base && { base }) })}`;
  try {
    const reply = await fetch(`${address}&part=results`, { signal: asking.signal });
    if (!reply.ok || reply.redirected) return;
    results.innerHTML = await reply.text();
    history.replaceState(null, "", address);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}
