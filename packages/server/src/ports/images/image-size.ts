/** Pixels as a browser shows them. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}
