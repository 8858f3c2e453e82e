type Generation<T> = Map<number, Map<string, T>>;

/**
 * Values that were asked for lately, by the stamp of the segment they belong to and a name. Segments never change, so
 * what was computed once serves many queries, however much is written meanwhile. When the younger half is full it
 * becomes the older one, and what was not asked for since then goes.
 */
export class SegmentMemory<T> {
  private young: Generation<T> = new Map();
  private old: Generation<T> = new Map();
  private bytes = 0;
  private readonly maxBytes: number;
  private readonly bytesOf: (value: T) => number;

  constructor(maxBytes: number, bytesOf: (value: T) => number) {
    this.maxBytes = maxBytes;
    this.bytesOf = bytesOf;
  }

  get(stamp: number, name: string): T | undefined {
    const known = this.young.get(stamp)?.get(name);
    if (known) return known;
    const older = this.old.get(stamp)?.get(name);
    if (older) this.set(stamp, name, older);
    return older;
  }

  set(stamp: number, name: string, value: T): void {
    const bytes = this.bytesOf(value);
    if (bytes > this.maxBytes / 4) return;
    if (this.bytes + bytes > this.maxBytes / 2) {
      this.old = this.young;
      this.young = new Map();
      this.bytes = 0;
    }
    const names = this.young.get(stamp) ?? new Map<string, T>();
    this.young.set(stamp, names);
    names.set(name, value);
    this.bytes += bytes;
  }
}
