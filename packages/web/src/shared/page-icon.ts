/** Code units: what looks like one sign may be made of many marks. */
const MAX_LENGTH = 16;

/** Whether a text can stand before a title: one emoji or one character, as people count them. */
export const isPageIcon = (text: string): boolean =>
  text.length <= MAX_LENGTH && [...new Intl.Segmenter().segment(text)].length === 1;
