/** Stands for the package `entities` in the browser's scripts: the browser knows all character references itself. */
const field = document.createElement("textarea");

const decodeOne = (reference: string): string => {
  field.innerHTML = reference;
  return field.value;
};

const isWhole = (reference: string): boolean => !decodeOne(reference).endsWith(";") || reference === "&semi;";

/** Resolves the character references of an HTML text. */
export const decodeHTML = (text: string): string => text.replace(/&(?:#x?)?[\da-z]{1,32};?/gi, decodeOne);

/** Resolves only references that end with a semicolon. */
export const decodeHTMLStrict = (text: string): string =>
  text.replace(/&(?:#x?)?[\da-z]{1,32};/gi, (one) => (isWhole(one) ? decodeOne(one) : one));
