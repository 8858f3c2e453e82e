const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** Without characters that cannot be seen or change the direction of the text. */
export const withoutInvisible = (text: string): string => text.toWellFormed().replace(invisible, "");
