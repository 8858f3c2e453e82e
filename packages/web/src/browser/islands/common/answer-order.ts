/** Orders answers to one question: an older answer must not replace a newer one. */
export class AnswerOrder {
  #asked = 0;
  #shown = 0;

  /** Starts a question; the returned function is false if a newer answer has arrived. */
  ask(): () => boolean {
    const asked = ++this.#asked;
    return () => {
      if (asked < this.#shown) return false;
      this.#shown = asked;
      return true;
    };
  }
}
