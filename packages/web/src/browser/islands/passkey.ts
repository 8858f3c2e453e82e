/** Buttons that make or use a passkey: the browser's answer goes into the form, which is then sent like any other. */
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";

const answers = {
  use: (optionsJSON: never) => startAuthentication({ optionsJSON }),
  make: (optionsJSON: never) => startRegistration({ optionsJSON }),
};

function prepare(place: HTMLElement): void {
  const form = place.querySelector("form");
  const field = form?.querySelector<HTMLInputElement>("[data-answer]");
  const complaint = form?.querySelector<HTMLElement>(".wrong");
  if (!form || !field || !complaint) return;
  const answer = answers[place.dataset.passkey as keyof typeof answers];
  form.addEventListener("submit", async (event) => {
    if (field.value !== "") return;
    event.preventDefault();
    complaint.hidden = true;
    try {
      field.value = JSON.stringify(await answer(JSON.parse(place.dataset.options ?? "{}") as never));
      form.submit();
    } catch (error) {
      complaint.textContent = explain(error);
      complaint.hidden = false;
    }
  });
  place.hidden = false;
}

const explain = (error: unknown): string =>
  error instanceof Error && error.name === "InvalidStateError"
    ? "This device already has a passkey for your account."
    : "No passkey was used. Try again, or choose another method.";

if ("PublicKeyCredential" in window) {
  for (const place of document.querySelectorAll<HTMLElement>("[data-passkey]")) prepare(place);
}
