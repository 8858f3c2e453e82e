/** What live editing has done in this process, for the operator. */
export class LiveFigures {
  /** Editors' updates that were stored. */
  updates = 0;
  folds = 0;
  failedFolds = 0;
  foldSeconds = 0;

  /** Counts a fold and how long it took. */
  async timeFold<T>(fold: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await fold();
    } catch (error) {
      this.failedFolds++;
      throw error;
    } finally {
      this.folds++;
      this.foldSeconds += (performance.now() - start) / 1000;
    }
  }
}
