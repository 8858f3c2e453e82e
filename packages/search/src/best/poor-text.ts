/** A text with fewer characters answers nothing. */
const SHORT_TEXT = 25;
/** The number of characters that are enough to recognise code. */
export const READ_CHARACTERS = 400;

/** Parts of a text that show that it is code. */
const CODE_MARKS = [";\n", "{\n", "(\n", "[\n", "},\n", "',\n", "\\\n", "=> {", "\n}", "\n  "];
const CODE_STARTS = ["$ ", "const ", "import ", "npm ", "{", "}", "//", "#!"];

/** Whether a block that begins like this is too short to answer anything, or code. */
export function isPoorText(text: string): boolean {
  const beginning = text.slice(0, READ_CHARACTERS);
  return (
    beginning.length < SHORT_TEXT ||
    CODE_MARKS.some((mark) => beginning.includes(mark)) ||
    CODE_STARTS.some((start) => beginning.startsWith(start))
  );
}
