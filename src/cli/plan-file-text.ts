import { ladderOf } from '../load/ladder.ts';
import { basisOfWorkload, type LoadBasis, requireRequests } from '../load/load-basis.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { countText } from '../stats/wording.ts';

/** What a new plan file is made for. */
export type PlanSubject =
  | {
      readonly kind: 'log';
      readonly path: string;
      readonly workload: WorkloadModel;
      /** How it was read: keys and values of a plan. */
      readonly reading?: Readonly<Record<string, string | true>>;
    }
  /** Its own url, targets and load stay where they are. */
  | { readonly kind: 'scenario'; readonly path: string; readonly scenario: OwnPlan }
  /** A list of URLs; routes with the largest share first. */
  | { readonly kind: 'mix'; readonly path: string; readonly routes: readonly string[] }
  | { readonly kind: 'url'; readonly url: URL };

/** What a scenario says itself of what a plan says. */
export interface OwnPlan {
  readonly url?: string;
  readonly targets?: readonly string[];
  readonly load?: object;
}

/** Where the schema of plan files is, for editors that look. */
const SCHEMA_LINE = '# yaml-language-server: $schema=node_modules/shipload/docs/schema/plan-file.json';

/** A plan file with every line that is likely to be edited, and what it means. */
export function planFileFor(subject: PlanSubject): string {
  const { url, source, targets, load } = PARTS[subject.kind](subject as never);
  return `${SCHEMA_LINE}
# What to run, and what must hold. Run it with: shipload run
# Keys are the long options of shipload run --help; an option given there wins over this file.

${targets.join('\n')}

service:
  url: ${url}
  # How it is started; without this line it must be running already.
  # start: node server.js
  # ready: /health

workload:${source.startsWith('\n') ? source : ` ${source}`}

${load.join('\n')}

# What is watched. With service: start: the process is known; else name one of these.
counters:
  # port: 8080
  # pid: 1234
  # cores: 1
  # metrics: /metrics

judging:
  # How far inside its limit a figure must lie to pass.
  margin: 10%
`;
}

interface Parts {
  readonly url: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly load: readonly string[];
}

const targetLines = (targets: readonly string[]): readonly string[] => [
  '# What the service must do. Edit these first; without them the run measures and judges nothing.',
  'targets:',
  ...targets.map((target) => `  - ${target}`),
];

const STEP_LINES = ['  step: 60s', '  # Part of each step that is not measured.', '  warmup: 20s'];
const WORKER_LINES = [
  'load:',
  '  # Workers without think time, step by step. For users who pause: users: [1, 10, 50] and think: 1s..3s',
  '  concurrency: [1, 2, 4, 8, 16, 32]',
  '  duration: 15s',
];
const LOCAL = 'http://127.0.0.1:8080';

const PARTS = {
  log: ({ path, workload, reading = {} }: Extract<PlanSubject, { kind: 'log' }>): Parts => {
    const basis = basisOfWorkload(workload);
    requireRequests(basis);
    const { loadText, lines } = loadOfLog(basis, workload);
    const busiest = basis.requests.toSorted((a, b) => b.shareRatio - a.shareRatio);
    const routes = [...new Set(busiest.map(({ route }) => route))].filter(isTargetable).slice(0, 3);
    const read = Object.entries(reading).map(
      ([key, value]) => `\n  ${key}: ${value === true ? value : quoted(value)}`,
    );
    const ofRoutes = routes.length === 0 ? ['p95'] : routes.map((route) => `p95 of ${route}`);
    return {
      url: LOCAL,
      source: read.length === 0 ? quoted(path) : `\n  from: ${quoted(path)}${read.join('')}`,
      targets: targetLines(ofRoutes.map((figure) => quoted(`${figure} <= 200 ms at ${loadText}`))),
      load: lines,
    };
  },
  scenario: ({ path, scenario }: Extract<PlanSubject, { kind: 'scenario' }>): Parts => {
    const isTargeted = (scenario.targets ?? []).length > 0;
    return {
      url: quoted(scenario.url ?? LOCAL),
      source: quoted(path),
      targets: isTargeted
        ? [
            `# The targets are those of ${oneLine(path)}; targets: here would take their place.`,
            ...scenario.targets!.map((target) => `#   ${oneLine(target)}`),
          ]
        : targetLines([quoted('p95 <= 200 ms at 50 users')]),
      load:
        scenario.load === undefined
          ? ['load:', '  # Users at a time, step by step.', '  users: [1, 10, 25, 50, 75]', ...STEP_LINES]
          : [
              `# The load is that of ${oneLine(path)}; what stands here would win over it.`,
              '# load:',
              '#   users: [1, 10, 25, 50]',
              '#   step: 60s',
              '#   warmup: 20s',
            ],
    };
  },
  mix: ({ path, routes }: Extract<PlanSubject, { kind: 'mix' }>): Parts => ({
    url: LOCAL,
    source: quoted(path),
    targets: targetLines(
      routes.slice(0, 3).map((route) => quoted(`p95 of ${route} <= 200 ms at 16 workers`)),
    ),
    load: WORKER_LINES,
  }),
  url: ({ url }: Extract<PlanSubject, { kind: 'url' }>): Parts => ({
    url: quoted(url.origin),
    source: quoted(url.href),
    targets: targetLines([quoted(`p95 of ${url.pathname} <= 200 ms at 16 workers`)]),
    load: WORKER_LINES,
  }),
} as const;

/**
 * The load that a log speaks of: its users, where their pauses are known; else its requests per second, which is the
 * same load; else workers.
 */
function loadOfLog(
  { activeUsers, thinkTime }: LoadBasis,
  { throughputPerSecond }: WorkloadModel,
): { readonly loadText: string; readonly lines: readonly string[] } {
  if (thinkTime !== undefined) {
    const users = Math.max(1, Math.round(activeUsers ?? GUESSED_USERS));
    const about =
      activeUsers === undefined
        ? '  # The log does not tell how many users are active: a guess.'
        : `  # The log has ${users} active users at its busiest; the steps go up to one and a half times as many.`;
    return {
      loadText: countText(users, 'user'),
      lines: ['load:', about, `  users: [${ladderOf(users).join(', ')}]`, ...STEP_LINES],
    };
  }
  const rate = Math.round(throughputPerSecond);
  if (rate < 1) return { loadText: '16 workers', lines: WORKER_LINES };
  return {
    loadText: `${rate}/s`,
    lines: [
      'load:',
      `  # The log does not tell how users pause, but has ${rate} requests a second at its busiest, sent here whatever`,
      '  # the answers take. For users who pause, in place of rate: users: [1, 10, 50] and think: 1s..3s',
      `  rate: [${ladderOf(rate).join(', ')}]`,
      ...STEP_LINES,
    ],
  };
}

const GUESSED_USERS = 10;

/** Whether a target can name a route. */
const isTargetable = (route: string): boolean => /^[^\s<>≤≥=][^\s<>≤≥]*$/.test(route);

/** A YAML scalar that is text whatever it holds. */
const quoted = (text: string): string =>
  /^[a-z_/][\w./-]*$/i.test(text) && !/^(?:true|false|null)$/i.test(text) ? text : JSON.stringify(text);

/** A comment ends with its line. */
const oneLine = (text: string): string => text.replaceAll(/[\r\n\u0085\u2028\u2029]+/g, ' ');
