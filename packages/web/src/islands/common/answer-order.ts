/** Answers to one question may overtake each other: an older one must not take the place of what a newer one brought. */
export class AnswerOrder {
  #asked = 0;
  #shown = 0;

  /** Asks; what comes back is called with the answer there, and is false for one that a newer answer has overtaken. */
  ask(): () => boolean {
    const asked = ++this.#asked;
    return () => {
      if (asked < this.#shown) return false;
      this.#shown = asked;
      return true;
    };
  }
}
