import type { RunEvent } from '../drive/run-plan.ts';
import type { LoadPlan, Step } from '../model/load.ts';
import { duration } from '../report/quantities.ts';
import { meanOf, mergeHistograms, percentileOf } from '../stats/histogram.ts';
import type { Terminal } from './terminal.ts';

/** Without a terminal that can redraw, a line this often. */
const PLAIN_LINE_SECONDS = 10;

/** Watches a run's events and tells the terminal: where it is, how long it still takes, what it sees. */
export function progressView(plan: LoadPlan, terminal: Terminal): (event: RunEvent) => void {
  const totalSeconds = plan.steps.reduce((sum, step) => sum + step.warmupSeconds + step.measureSeconds, 0);
  const stepText = ({ index }: Step): string =>
    plan.growth === undefined ? `step ${index + 1}/${plan.steps.length}` : `step ${index + 1}`;
  let lastPlainAtSeconds = 0;
  return (event) => {
    if (event.kind === 'step-finished') {
      const { step, windowSeconds, completionCount, responseTime, outcomeCounts } = event.measurement;
      const failed = outcomeCounts.error + outcomeCounts.timeout;
      terminal.say(
        `  ${stepText(step)}  ${step.label.padEnd(12)} ` +
          `X ${(completionCount / windowSeconds).toFixed(1)}/s  R ${duration(meanOf(responseTime))}  ` +
          `p95 ${duration(percentileOf(responseTime, 95))}${failed > 0 ? `  ${failed} failed` : ''}`,
      );
      return;
    }
    if (event.kind !== 'frame' || event.frame.phase === 'drain') return;
    const { frame, step } = event;
    const frameSeconds = frame.endedAtSeconds - frame.startedAtSeconds;
    const ok = frame.routes.reduce((sum, route) => sum + route.okCount, 0);
    const p95 = percentileOf(mergeHistograms(frame.routes.map((route) => route.responseTime)), 95);
    const left = Math.max(0, totalSeconds - frame.endedAtSeconds);
    const line =
      `  ${stepText(step)}  ${step.label}  ${frame.phase === 'warmup' ? 'warming up' : 'measuring'}  ` +
      `X ${frameSeconds > 0 ? (ok / frameSeconds).toFixed(0) : '–'}/s  p95 ${duration(p95)}${plan.growth === undefined ? `  ${left.toFixed(0)} s left` : ''}`;
    terminal.status(line);
    if (!terminal.isInteractive && frame.endedAtSeconds - lastPlainAtSeconds >= PLAIN_LINE_SECONDS) {
      lastPlainAtSeconds = frame.endedAtSeconds;
      terminal.say(line);
    }
  };
}
