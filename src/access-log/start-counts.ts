import type { LogOverview } from '../model/log-table.ts';
import { grown } from './text-table.ts';

/** Beyond this many buckets each becomes twice as long, so that memory stays flat whatever the log spans. */
const MOST_BUCKETS = 1 << 22;

/** A power of two, so that bounds of buckets are exact; finer buckets leave less to choose the fullest window from. */
const FINEST_BUCKET_SECONDS = 1 / 16;
const SHORTEST_BIN_SECONDS = 60;
const MOST_BINS = 1440;

export interface StartCountsData {
  readonly bucketSeconds: number;
  /** Number of the first bucket, counted from the epoch. */
  readonly base: number;
  readonly counts: Uint32Array;
  readonly firstSeconds: number;
  readonly lastSeconds: number;
}

/** How many requests start in each sixteenth of a second (or longer bucket) of a log, in whatever order they come. */
export class StartCounts {
  #bucketSeconds = FINEST_BUCKET_SECONDS;
  #counts = new Uint32Array(1 << 12);
  /** Bucket number, since the epoch, of the first count; NaN before the first request. */
  #base = NaN;
  #first = Infinity;
  #last = -Infinity;

  add(startSeconds: number): void {
    if (Number.isNaN(startSeconds)) return;
    if (startSeconds < this.#first) this.#first = startSeconds;
    if (startSeconds > this.#last) this.#last = startSeconds;
    const index = Math.floor(startSeconds / this.#bucketSeconds) - this.#base;
    if (index >= 0 && index < this.#counts.length) this.#counts[index]! += 1;
    else this.#addOutside(startSeconds, 1);
  }

  /** The counts as plain data, for `addAll` elsewhere. */
  data(): StartCountsData {
    const [firstSeconds, lastSeconds] = [this.#first, this.#last];
    return {
      bucketSeconds: this.#bucketSeconds,
      base: this.#base,
      counts: this.#counts,
      firstSeconds,
      lastSeconds,
    };
  }

  /** Adds what has been counted elsewhere: the sum is that of one count over all. */
  addAll({ bucketSeconds, base, counts, firstSeconds, lastSeconds }: StartCountsData): void {
    this.#first = Math.min(this.#first, firstSeconds);
    this.#last = Math.max(this.#last, lastSeconds);
    while (this.#bucketSeconds < bucketSeconds) this.#doubleBuckets();
    counts.forEach((count, index) => {
      if (count > 0) this.#addOutside((base + index) * bucketSeconds, count);
    });
  }

  /** How many requests start in each bin of the log, at most 1440 of whole minutes, from the first second on. */
  overview(): LogOverview | undefined {
    if (this.#first > this.#last) return undefined;
    const fromSeconds = Math.floor(this.#first);
    const length = this.#last - fromSeconds;
    const minutes = Math.floor(length / SHORTEST_BIN_SECONDS) + 1;
    const binSeconds = SHORTEST_BIN_SECONDS * Math.ceil(minutes / MOST_BINS);
    const requestsPerBin = Array.from({ length: Math.floor(length / binSeconds) + 1 }, () => 0);
    this.#counts.forEach((count, index) => {
      if (count === 0) return;
      const since = Math.max(0, (this.#base + index) * this.#bucketSeconds - fromSeconds);
      requestsPerBin[Math.floor(since / binSeconds)]! += count;
    });
    return { fromSeconds, binSeconds, requestsPerBin };
  }

  /**
   * The stretches that hold every fullest window [t, t + lengthSeconds) there may be, whatever the starts are
   * within their buckets: a window that begins in bucket i touches no more than buckets i … i + K, so it can
   * be the fullest only if these hold as many as the fullest K′ whole buckets (K = ⌈length ⁄ bucket⌉,
   * K′ = ⌊length ⁄ bucket⌋). The first and last requests are kept too, for they say what the log spans.
   */
  fullestStretches(lengthSeconds: number): KeptStarts {
    const counts = this.#counts;
    const touched = Math.ceil(lengthSeconds / this.#bucketSeconds) + 1;
    const sums = new Float64Array(counts.length + 1);
    for (let i = 0; i < counts.length; i += 1) sums[i + 1] = sums[i]! + counts[i]!;
    const within = (from: number, buckets: number): number =>
      sums[Math.min(from + buckets, counts.length)]! - sums[from]!;
    let least = 0;
    for (let i = 0; i < counts.length; i += 1) least = Math.max(least, within(i, touched - 2));
    const isKept = new Uint8Array(counts.length);
    let keptTo = 0;
    for (let i = 0; i < counts.length; i += 1) {
      if (counts[i]! > 0 && within(i, touched) >= least) keptTo = i + touched;
      if (i < keptTo) isKept[i] = 1;
    }
    return new KeptStarts(this.#first, this.#last, isKept, this.#base, this.#bucketSeconds);
  }

  /** The stretch [fromSeconds, toSeconds), to the bucket, with the first and last requests. */
  stretch(fromSeconds: number, toSeconds: number): KeptStarts {
    const isKept = this.#counts.map((_, index) => {
      const from = (this.#base + index) * this.#bucketSeconds;
      return from < toSeconds && from + this.#bucketSeconds > fromSeconds ? 1 : 0;
    });
    const flags = Uint8Array.from(isKept);
    return new KeptStarts(this.#first, this.#last, flags, this.#base, this.#bucketSeconds);
  }

  /** `first` and `last` say how many buckets there must be, so that their length does not hang on the lines' order. */
  #addOutside(startSeconds: number, count: number): void {
    if (Number.isNaN(this.#base)) this.#base = this.#bucketOf(startSeconds) - 1024;
    while (this.#bucketOf(this.#last) - this.#bucketOf(this.#first) >= MOST_BUCKETS) this.#doubleBuckets();
    const index = this.#bucketOf(startSeconds) - this.#base;
    if (index < 0) this.#prepend(Math.max(-index, this.#counts.length >> 1));
    else if (index >= this.#counts.length) this.#counts = grown(this.#counts, Uint32Array, index + 1);
    this.#counts[this.#bucketOf(startSeconds) - this.#base]! += count;
  }

  #bucketOf(startSeconds: number): number {
    return Math.floor(startSeconds / this.#bucketSeconds);
  }

  #prepend(buckets: number): void {
    const counts = new Uint32Array(this.#counts.length + buckets);
    counts.set(this.#counts, buckets);
    this.#counts = counts;
    this.#base -= buckets;
  }

  #doubleBuckets(): void {
    const base = Math.floor(this.#base / 2);
    const counts = new Uint32Array((this.#counts.length >> 1) + 1);
    this.#counts.forEach((count, index) => {
      if (count > 0) counts[Math.floor((this.#base + index) / 2) - base]! += count;
    });
    this.#counts = counts;
    this.#base = base;
    this.#bucketSeconds *= 2;
  }
}

/** Which starts of a log are worth a row. */
export class KeptStarts {
  readonly #first: number;
  readonly #last: number;
  readonly #isKept: Uint8Array;
  readonly #base: number;
  readonly #bucketSeconds: number;

  constructor(first: number, last: number, isKept: Uint8Array, base: number, bucketSeconds: number) {
    this.#first = first;
    this.#last = last;
    this.#isKept = isKept;
    this.#base = base;
    this.#bucketSeconds = bucketSeconds;
  }

  has(startSeconds: number): boolean {
    const index = Math.floor(startSeconds / this.#bucketSeconds) - this.#base;
    return this.#isKept[index] === 1 || startSeconds === this.#first || startSeconds === this.#last;
  }

  /** Whether any start in [first, last] may be kept. */
  hasBetween(first: number, last: number): boolean {
    if (first <= this.#first || last >= this.#last) return true;
    const from = Math.max(0, Math.floor(first / this.#bucketSeconds) - this.#base);
    const to = Math.floor(last / this.#bucketSeconds) - this.#base;
    return this.#isKept.subarray(from, to + 1).includes(1);
  }
}
