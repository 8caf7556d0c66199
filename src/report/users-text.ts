import type { WorkloadModel } from '../model/workload.ts';
import * as q from './quantities.ts';
import { hanging, table } from './text-layout.ts';
import type { Paint } from './text-layout.ts';

const KEYS = {
  user: 'by the session or user that the log names',
  'address-and-agent': 'by address and user agent',
  address: 'by address',
} as const;

const KINDS = { bot: 'bots', 'health-check': 'health checks', scanner: 'scanners' } as const;

/** Who the users are and what a step of theirs is, with what was set apart. */
export function userLines(model: WorkloadModel, width: number): readonly string[] {
  const { clientKey, automated = [], sharedClients, steps } = model;
  const lines = [
    ...(clientKey === undefined ? [] : [`clients are told apart ${KEYS[clientKey]}`]),
    ...automated.map(
      ({ kind, clientCount, requestCount, shareRatio }) =>
        `${KINDS[kind]}: ${q.counted(clientCount, 'client')}, ${q.counted(requestCount, 'request')} (${q.percent(shareRatio)}), in the load but not among the users`,
    ),
    ...(sharedClients === undefined
      ? []
      : [
          `several users each: ${q.counted(sharedClients.clientCount, 'client')}, ${q.counted(sharedClients.requestCount, 'request')}; they count in X, Z is that of the others`,
        ]),
    ...(steps === undefined || steps.requestsPerStep === 1
      ? []
      : [
          `a step is ${q.figure(steps.requestsPerStep)} requests: ${q.rateFigure(steps.perSecond)} steps a second${stepLength(model)}`,
        ]),
    ...gapLine(model),
    ...activeLine(model),
    ...sessionLine(model),
  ];
  return lines.flatMap((line) => hanging('  ', line, width));
}

/** Without durations a step is as long as its requests are apart. */
function stepLength({ steps, responseTimeSeconds }: WorkloadModel): string {
  const seconds = steps?.responseTimeSeconds ?? 0;
  if (responseTimeSeconds !== undefined) return `, each ${q.duration(seconds)} long`;
  return seconds > 0 ? `, each ${q.duration(seconds)} from its first request to its last` : '';
}

/** What the gaps behind Z are worth: very short ones are not resolved, negative ones are no one user's. */
function gapLine({ thinkTimeSeconds }: WorkloadModel): readonly string[] {
  if (thinkTimeSeconds?.unresolvedCount === undefined || thinkTimeSeconds.negativeCount === undefined)
    return [];
  const { count, unresolvedCount, negativeCount } = thinkTimeSeconds;
  if (unresolvedCount + negativeCount === 0)
    return [
      `none of the ${q.counted(count, 'gap')} between steps is negative or shorter than a step of the time stamps`,
    ];
  const share = (part: number): string => `${q.count(part)} (${q.percent(part / count)})`;
  return [
    `of ${q.counted(count, 'gap')} between steps ${share(unresolvedCount)} are shorter than a step of the time stamps and ${share(negativeCount)} negative: the next step began before the last one ended`,
  ];
}

/** M and the open sessions are two numbers; the reader meets both in other tools. */
function activeLine({ activeUsers, sessions }: WorkloadModel): readonly string[] {
  if (activeUsers === undefined || sessions?.activeMean === undefined) return [];
  return [
    `${q.load(activeUsers)} users must loop, thinking after every step, to make this load (M); ` +
      `${q.load(sessions.activeMean)} sessions are open on average, which end with their last answer`,
  ];
}

/** What the sessions cannot tell: some are cut off, some have no pause. */
function sessionLine({ sessions }: WorkloadModel): readonly string[] {
  if (sessions?.singleStepCount === undefined || sessions.atEdgeCount === undefined) return [];
  const { count, singleStepCount, atEdgeCount } = sessions;
  return [
    `${q.counted(count, 'session')}: ${q.count(singleStepCount)} of one step, which have no think time; ${q.count(atEdgeCount)} that may go on beyond an edge of the window`,
  ];
}

/** How much Z and M hang on the pause that ends a session. */
export function timeoutTable({ sessions }: WorkloadModel, width: number, paint: Paint): readonly string[] {
  const curve = sessions?.timeoutCurve ?? [];
  if (curve.length === 0) return [];
  const columns = [
    { heading: 'timeout', cells: curve.map(({ timeoutSeconds }) => q.givenDuration(timeoutSeconds)) },
    { heading: 'sessions', cells: curve.map(({ sessionCount }) => q.count(sessionCount)) },
    { heading: 'Z', cells: curve.map(({ thinkTimeSeconds }) => q.duration(thinkTimeSeconds)) },
    { heading: 'M', cells: curve.map(({ activeUsers }) => q.load(activeUsers)) },
  ];
  return table(columns, width - 2, paint).map((line) => `  ${line}`);
}
