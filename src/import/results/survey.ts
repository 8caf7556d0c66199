import { LONGEST_RUN_SECONDS, sampleFault, type Sample, type SampleSink } from './sample.ts';

/** What the requests of one second tell about the load. */
interface UserRange {
  lowest: number;
  highest: number;
}

/**
 * The first reading of a file: when it begins and ends, how many users ran in which second, how many requests ended
 * in it. Memory grows with the seconds of the run, not with its requests.
 */
export class Survey implements SampleSink {
  #firstSeconds = NaN;
  #earliestStart = Infinity;
  #latestEnd = -Infinity;
  #earliestBegin = Infinity;
  #latestBegin = -Infinity;
  #count = 0;
  #responseSeconds = 0;
  #toldApart = false;
  readonly #users = new Map<number, UserRange>();
  readonly #endsBySecond = new Map<number, number>();
  readonly #counts = new Map<string, number>();

  sample(sample: Sample): string | undefined {
    const fault = this.faultOf(sample);
    if (fault !== undefined) return fault;
    const { startSeconds, responseTimeSeconds } = sample;
    const end = startSeconds + responseTimeSeconds;
    this.#count += 1;
    this.#responseSeconds += responseTimeSeconds;
    if (startSeconds < this.#earliestStart) this.#earliestStart = startSeconds;
    if (startSeconds < this.#earliestBegin) this.#earliestBegin = startSeconds;
    if (startSeconds > this.#latestBegin) this.#latestBegin = startSeconds;
    if (end > this.#latestEnd) this.#latestEnd = end;
    const second = Math.floor(end);
    this.#endsBySecond.set(second, (this.#endsBySecond.get(second) ?? 0) + 1);
    if (sample.users !== undefined) this.#addUsers(second, sample.users);
    return undefined;
  }

  /** Why a sample is not taken. */
  faultOf(sample: Sample): string | undefined {
    return sampleFault(sample) ?? this.#farOff(sample.startSeconds);
  }

  users(atSeconds: number, count: number): void {
    if (this.#farOff(atSeconds) !== undefined) return;
    this.#toldApart = true;
    this.#addUsers(Math.floor(atSeconds), count);
  }

  count(name: string, amount: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + amount);
  }

  /** The times of a file lie within two weeks of its first; what does not is a broken line. */
  #farOff(seconds: number): string | undefined {
    if (Number.isNaN(this.#firstSeconds)) this.#firstSeconds = seconds;
    const days = Math.abs(seconds - this.#firstSeconds) / 86_400;
    if (days * 86_400 <= LONGEST_RUN_SECONDS) return undefined;
    return `its time lies ${days.toPrecision(3)} days off that of the first request`;
  }

  #addUsers(second: number, count: number): void {
    const range = this.#users.get(second);
    if (range === undefined) this.#users.set(second, { lowest: count, highest: count });
    else {
      if (count < range.lowest) range.lowest = count;
      if (count > range.highest) range.highest = count;
    }
  }

  get requestCount(): number {
    return this.#count;
  }

  /** From the first request's start to the last one's end. */
  get span(): { readonly fromSeconds: number; readonly toSeconds: number } {
    return { fromSeconds: this.#earliestStart, toSeconds: this.#latestEnd };
  }

  /** Mean number of requests in flight over the whole file: the sum of all response times / the span. */
  get meanInFlight(): number {
    const length = this.#latestEnd - this.#earliestStart;
    return length > 0 ? this.#responseSeconds / length : 0;
  }

  /** Requests begun a second: one less than there were, over the time from the first to the last. */
  get startsPerSecond(): number {
    const length = this.#latestBegin - this.#earliestBegin;
    return length > 0 ? (this.#count - 1) / length : 0;
  }

  /** Seconds with the users that ran in them, rising; empty where the file does not tell. */
  get usersBySecond(): readonly (readonly [second: number, range: UserRange])[] {
    return [...this.#users].sort((a, b) => a[0] - b[0]);
  }

  /** The tool told the users at times of its own: they may have changed before the next. */
  get toldApart(): boolean {
    return this.#toldApart;
  }

  endsBetween(fromSecond: number, toSecond: number): number {
    let sum = 0;
    for (const [second, count] of this.#endsBySecond)
      if (second >= fromSecond && second < toSecond) sum += count;
    return sum;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}
