import type { ScenarioSummary } from '../model/documents.ts';
import * as q from './quantities.ts';
import type { TextColumn } from './text-layout.ts';

/** The journeys of a scenario and their groups: how many came to their end, and how long they took. */
export function partColumns({ parts }: ScenarioSummary): readonly TextColumn[] {
  return [
    { heading: 'journey', cells: parts.map((part) => part.name), align: 'left' as const },
    { heading: 'ended', cells: parts.map((part) => q.countFigure(part.endedCount)) },
    { heading: 'failed', cells: parts.map((part) => q.countFigure(part.failedCount)) },
    { heading: 'p50', cells: parts.map((part) => q.duration(part.p50Seconds)) },
    { heading: 'p95', cells: parts.map((part) => q.duration(part.p95Seconds)) },
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
