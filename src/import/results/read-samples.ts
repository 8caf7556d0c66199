import type { StepMeasurement } from '../../model/measurement.ts';
import type { Notice } from '../../model/notice.ts';
import { countText, figure, percentText } from '../../stats/wording.ts';
import type { GivenLoad, LineReader, SampleFormat } from './result-format.ts';
import type { Sample, SampleSink } from './sample.ts';
import { StepBuilder } from './step-builder.ts';
import { outsideNotices, stretchesOf } from './stretches.ts';
import { Survey } from './survey.ts';

/** Shares by which a window may be unknown: beyond the one it is doubtful, beyond the other of no use. */
const DOUBTFUL_ERROR = 0.05;
const WORST_ERROR = 0.2;

/** Shares of the workers that must and can have a request in flight; the latter leaves room for rounded times. */
const BUSY_WORKERS = 0.9;
const MORE_THAN_WORKERS = 1.03;

/** Times after 2001 are dates; smaller ones count from the run's start. */
const EARLIEST_EPOCH_SECONDS = 1e9;

/**
 * Reads a file of requests in two passes, so that it need not fit into memory nor be in any order: the first finds the
 * times and the loads, the second adds each request to its step.
 */
export class SampleImport {
  readonly #format: SampleFormat;
  readonly #given: GivenLoad | undefined;
  readonly #survey = new Survey();

  constructor(format: SampleFormat, given?: GivenLoad) {
    this.#format = format;
    this.#given = given;
  }

  /** For all lines, once. */
  surveyReader(): LineReader {
    return this.#format.open(this.#survey);
  }

  get requestCount(): number {
    return this.#survey.requestCount;
  }

  /** When the first request was sent, ISO 8601; undefined where times count from the run's start. */
  get startedAt(): string | undefined {
    const { fromSeconds } = this.#survey.span;
    return fromSeconds > EARLIEST_EPOCH_SECONDS ? new Date(fromSeconds * 1000).toISOString() : undefined;
  }

  /** For all lines, once more; `finish` gives the steps. */
  stepReader(): LineReader & { finish(): { steps: readonly StepMeasurement[]; notices: readonly Notice[] } } {
    const { openLoop, clockSeconds = 0, errorsUnknown } = this.#format;
    const found = stretchesOf(this.#survey, {
      ...(this.#given !== undefined && { given: this.#given }),
      ...(openLoop !== undefined && { openLoop }),
    });
    const { stretches } = found;
    const builders = stretches.map((stretch, i) => {
      const { fromSeconds, toSeconds } = stretch;
      // Times in whole seconds cannot tell a shorter window.
      const roomy = { ...stretch, toSeconds: Math.max(toSeconds, fromSeconds + clockSeconds) };
      return new StepBuilder(roomy, i === stretches.length - 1, errorsUnknown);
    });
    const reader = this.#format.open(new StepSink(this.#survey, builders));
    const origin = this.#survey.span.fromSeconds;
    return {
      line: (text, number) => reader.line(text, number),
      finish: () => {
        const measured = builders.map((builder, i) => {
          const step = builder.measurement(i, origin);
          const notices = [...coarseClock(clockSeconds, step.windowSeconds), ...workersNotices(step)];
          return { ...step, notices };
        });
        const inSteps = measured.reduce((sum, { outcomeCounts: c }) => sum + c.ok + c.error + c.timeout, 0);
        const { requestCount } = this.#survey;
        return {
          steps: measured,
          notices: [
            ...found.notices,
            ...outsideNotices(requestCount - inSteps, requestCount),
            ...droppedIterations(this.#survey),
          ],
        };
      },
    };
  }
}

/** Hands each request that the survey took to the steps it may lie in. */
class StepSink implements SampleSink {
  readonly #survey: Survey;
  readonly #builders: readonly StepBuilder[];

  constructor(survey: Survey, builders: readonly StepBuilder[]) {
    this.#survey = survey;
    this.#builders = builders;
  }

  sample(sample: Sample): string | undefined {
    const fault = this.#survey.faultOf(sample);
    if (fault === undefined) for (const builder of this.#builders) builder.add(sample);
    return fault;
  }

  users(): void {}

  count(): void {}
}

/** Times in whole seconds: a window, and with it X, is not known better than they are. */
function coarseClock(clockSeconds: number, windowSeconds: number): Notice[] {
  if (clockSeconds === 0) return [];
  const errorRatio = clockSeconds / windowSeconds;
  return [
    {
      code: 'coarse-clock',
      severity: errorRatio > WORST_ERROR ? 'red-flag' : errorRatio > DOUBTFUL_ERROR ? 'warning' : 'info',
      message: `the file tells times in steps of ${figure(clockSeconds)} s: this window of ${figure(windowSeconds)} s, and with it X, is known to ±${percentText(errorRatio)}`,
      advice: 'a longer step, or the form of results that tells times more finely',
    },
  ];
}

/** Workers without pauses have one request each in flight, but for what the generator does between two. */
function workersNotices({ importedLoad, meanInFlight }: StepMeasurement): Notice[] {
  if (
    importedLoad === undefined ||
    importedLoad.kind !== 'concurrency' ||
    importedLoad.source === 'estimated'
  )
    return [];
  const { value } = importedLoad;
  const message = `${figure(meanInFlight)} requests were in flight on average (X·R), and there were ${countText(value, 'worker')}`;
  if (meanInFlight > value * MORE_THAN_WORKERS) {
    const advice =
      'the load that was given is not the one that ran, or response times count from when requests were due';
    return [{ code: 'load-exceeded', severity: 'red-flag', message, advice }];
  }
  if (meanInFlight >= value * BUSY_WORKERS) return [];
  const advice =
    'the rest of their time went to the generator itself, or to pauses: X is lower than so many workers can make it';
  return [{ code: 'workers-idle', severity: 'warning', message, advice }];
}

/** k6 counts what it could not begin for want of free users. */
function droppedIterations(survey: Survey): Notice[] {
  const count = survey.counts.get('dropped_iterations') ?? 0;
  if (count === 0) return [];
  return [
    {
      code: 'load-not-reached',
      severity: 'warning',
      message: `k6 dropped ${countText(count, 'iteration')}: no user was free to begin them, and the service did not see the load that was asked for`,
      advice: 'raise maxVUs (or preAllocatedVUs), or ask for less',
    },
  ];
}
