import type { ScenarioSummary } from '../model/documents.ts';
import { countText } from '../stats/wording.ts';
import * as q from './quantities.ts';
import type { TextColumn } from './text-layout.ts';

/** The journeys of a scenario and their groups: how many came to their end, and how long those took that did. */
export function partColumns({ parts }: ScenarioSummary): readonly TextColumn[] {
  const hasFailedChecks = parts.some(({ failedCheckCount = 0 }) => failedCheckCount > 0);
  return [
    { heading: 'journey', cells: parts.map((part) => part.name), align: 'left' as const },
    { heading: 'ended', cells: parts.map((part) => q.countFigure(part.endedCount)) },
    { heading: 'broke off', cells: parts.map((part) => q.countFigure(part.failedCount)) },
    ...(hasFailedChecks
      ? [
          {
            heading: 'failed checks',
            cells: parts.map(({ kind, failedCheckCount = 0 }) =>
              kind === 'group' ? '' : q.countFigure(failedCheckCount),
            ),
          },
        ]
      : []),
    { heading: 'p50', cells: parts.map((part) => q.duration(part.p50Seconds)) },
    { heading: 'p95', cells: parts.map((part) => q.duration(part.p95Seconds)) },
    { heading: 'p99', cells: parts.map((part) => q.duration(part.p99Seconds)) },
  ];
}

/** The checks on answers, how often each passed. */
export function checkColumns({ checks }: ScenarioSummary): readonly TextColumn[] {
  return [
    { heading: 'check', cells: checks.map((check) => check.name), align: 'left' as const },
    { heading: 'passed', cells: checks.map((check) => q.countFigure(check.passedCount)) },
    { heading: 'failed', cells: checks.map((check) => q.countFigure(check.failedCount)) },
  ];
}

/** Where the journeys broke off that did, the most frequent places first. */
export function brokenOffTexts({ parts }: ScenarioSummary): readonly string[] {
  return parts.flatMap(({ name, failedCount, brokeOffAfter = {} }) => {
    const places = Object.entries(brokeOffAfter).toSorted(([, a], [, b]) => b - a);
    if (places.length === 0) return [];
    const shown = places
      .slice(0, MOST_PLACES)
      .map(([request, count]) => `${count} ${request === '' ? 'before a request' : `after ${request}`}`);
    const rest = places.length > MOST_PLACES ? ', …' : '';
    return [`${name} broke off ${countText(failedCount, 'time')}: ${shown.join(', ')}${rest}`];
  });
}

const MOST_PLACES = 5;
