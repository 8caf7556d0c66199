import type { PartEvent } from '../drive/merged-run.ts';
import type { RunTotals } from '../model/measurement.ts';

type RouteTotals = RunTotals['byRoute'][number];
type Counts = { -readonly [Name in keyof RouteTotals]: RouteTotals[Name] };

const COMPARED = ['sentCount', 'okCount', 'errorCount', 'timeoutCount', 'droppedCount'] as const;

/** Adds up the frames of one agent, for the comparison with what it says that it did in all. */
export class EventLedger {
  readonly #routes = new Map<string, Counts>();
  #retriedCount = 0;

  add(event: PartEvent): void {
    if (event.kind !== 'frame') return;
    this.#retriedCount += event.frame.retriedCount;
    for (const { requestClassId, route, ...counts } of event.frame.routes) {
      const known = this.#routes.get(requestClassId) ?? emptyCounts(requestClassId, route);
      this.#routes.set(requestClassId, known);
      for (const name of COMPARED) known[name] += counts[name];
    }
  }

  /** Of an agent that never said its own; the answers among its errors are not known, and not counted. */
  totals(): RunTotals {
    const byRoute = [...this.#routes.values()].map((counts) => ({
      ...counts,
      answeredCount: counts.okCount,
    }));
    return { byRoute, retriedCount: this.#retriedCount };
  }

  /** What the frames and the agent's own totals disagree on, in words; empty where they agree. */
  differences(totals: RunTotals): readonly string[] {
    const ids = new Set([
      ...this.#routes.keys(),
      ...totals.byRoute.map(({ requestClassId }) => requestClassId),
    ]);
    return [...ids].flatMap((id) => {
      const framed = this.#routes.get(id) ?? emptyCounts(id, id);
      const own = totals.byRoute.find(({ requestClassId }) => requestClassId === id) ?? emptyCounts(id, id);
      return COMPARED.filter((name) => framed[name] !== own[name]).map(
        (name) => `${name} of ${own.route}: ${framed[name]} in its frames, ${own[name]} in all`,
      );
    });
  }
}

const emptyCounts = (requestClassId: string, route: string): Counts => ({
  requestClassId,
  route,
  sentCount: 0,
  answeredCount: 0,
  okCount: 0,
  errorCount: 0,
  timeoutCount: 0,
  droppedCount: 0,
});
