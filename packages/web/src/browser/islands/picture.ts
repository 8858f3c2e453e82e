/** On the settings page: crops a chosen picture to a small square and saves it as the person's own. */
import { api } from "./common/api.ts";
import { attempt, toast, toastAfter } from "./common/toast.ts";

/** Pixels of each side. */
const SIDE = 256;

/** The middle of the picture as a square, redrawn so that no other data of the file is included. */
async function squareOf(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const part = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - part) / 2, (picture.height - part) / 2];
  canvas.getContext("2d")?.drawImage(picture, left, top, part, part, 0, 0, SIDE, SIDE);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

async function keep(file: File): Promise<void> {
  let square: Blob;
  try {
    square = await squareOf(file);
  } catch {
    toast("The browser cannot read this picture. Choose a PNG, JPEG or WebP file.");
    return;
  }
  await api.put("/me/picture", { body: { content: await base64Of(square) } });
  toastAfter("Your picture is updated.");
  location.reload();
}

const field = document.querySelector<HTMLInputElement>("[data-picture]");
field?.addEventListener("change", () => {
  const file = field.files?.[0];
  field.value = "";
  if (file) attempt(() => keep(file));
});
if (field) field.closest<HTMLElement>("[hidden]")?.removeAttribute("hidden");
