import type { ScenarioSummary } from '../model/documents.ts';
import { countText } from '../stats/wording.ts';
import * as q from './quantities.ts';
import { isThinOf, THIN_NOTE } from './step-columns.ts';
import type { TextColumn } from './text-layout.ts';

/** The journeys of a scenario and their groups: how many ran, and how long those took that came to their end. */
export function partColumns({ parts }: ScenarioSummary): readonly TextColumn[] {
  const hasFailedChecks = parts.some(({ failedCheckCount = 0 }) => failedCheckCount > 0);
  return [
    { heading: 'journey', cells: parts.map((part) => part.name), align: 'left' as const },
    { heading: 'runs', cells: parts.map((part) => q.countFigure(part.endedCount)) },
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
    ...ORDERS.map((order) => ({
      heading: `p${order}`,
      cells: parts.map(
        (part) => `${q.duration(part[`p${order}Seconds`])}${isThinPart(part, order) ? '?' : ''}`,
      ),
    })),
  ];
}

const ORDERS = [50, 95, 99] as const;
type Part = ScenarioSummary['parts'][number];

/** Runs that broke off have no duration. */
const isThinPart = (part: Part, order: (typeof ORDERS)[number]): boolean =>
  part[`p${order}Seconds`] !== undefined && isThinOf(part.endedCount - part.failedCount, order);

/** What stands below the journeys: where they broke off, and what a mark means. */
export function partTexts(scenario: ScenarioSummary): readonly string[] {
  const isMarked = scenario.parts.some((part) => ORDERS.some((order) => isThinPart(part, order)));
  return [...brokenOffTexts(scenario), ...(isMarked ? [THIN_NOTE] : [])];
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
function brokenOffTexts({ parts }: ScenarioSummary): readonly string[] {
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
