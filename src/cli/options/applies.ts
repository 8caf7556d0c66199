import type { LoadKind } from '../../stats/wording.ts';

/** What a command was asked to do, as far as options depend on it. What is missing plays no part in the command. */
export interface OptionUse {
  /** What is read or sent; `nothing` where the command was given no argument. */
  readonly input?: 'url' | 'urls' | 'log' | 'workload' | 'scenario' | 'run' | 'nothing';
  /** A load shape, `replay`, or `stages` of a scenario. */
  readonly shape?: string;
  readonly loadKind?: LoadKind;
  readonly demo?: string;
  /** Whether random numbers are drawn, and whether files are written; missing: yes. */
  readonly draws?: boolean;
  readonly writes?: boolean;
  /** Every option that is in force, by its name in the table. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Where an option has a meaning; given elsewhere it is refused. */
export interface Applicability {
  /** Says it after the flag: "is for --shape search". */
  readonly rule: string;
  readonly holds: (use: OptionUse) => boolean;
}

const shapes = (...names: readonly string[]): Applicability => ({
  rule: `is for --shape ${names.join(', ').replace(/, ([^,]*)$/, ' or $1')}`,
  holds: ({ shape }) => shape === undefined || names.includes(shape),
});

const demos = (...names: readonly string[]): Applicability => ({
  rule: `is for ${names.map((name) => `shipload demo ${name}`).join(', ')}`,
  holds: ({ demo }) => demo === undefined || names.includes(demo),
});

const isAsked = (option: string, { options }: OptionUse): boolean =>
  options[option] !== undefined && options[option] !== false;

/** Options of a ladder of loads, which any number of steps may join. */
export const OF_LADDERS = shapes('steps', 'sweep', 'rate', 'stress');
export const OF_EXTENDABLE = shapes('steps', 'sweep', 'rate');
export const OF_SEARCH = shapes('search');
export const OF_STRESS = shapes('stress');
export const OF_REPLAY = shapes('replay');

export const OF_GROWING: Applicability = {
  rule: 'is for --extend, --shape stress or --shape search: other loads are as high as they were given',
  holds: (use) => use.shape === 'stress' || use.shape === 'search' || isAsked('extend', use),
};

export const OF_RATES: Applicability = {
  rule: 'is for --rate: users and workers wait for their answers before they send again',
  holds: ({ loadKind, shape }) =>
    shape !== 'replay' && (loadKind === undefined || loadKind === 'arrivalRatePerSecond'),
};

export const OF_RATES_AND_REPLAY: Applicability = {
  ...OF_RATES,
  holds: (use) => use.shape === 'replay' || OF_RATES.holds(use),
};

export const OF_USERS: Applicability = {
  rule: 'is for users (--users, or those of a log); workers (-c) and arrivals (--rate) neither think nor join',
  holds: ({ loadKind, shape }) =>
    (loadKind === undefined || loadKind === 'users') && shape !== 'stages' && shape !== 'replay',
};

export const OF_THINKING: Applicability = {
  ...OF_USERS,
  holds: (use) => OF_USERS.holds(use) || (use.shape === 'stages' && use.loadKind === 'users'),
};

export const NOT_IN_REPLAY: Applicability = {
  rule: 'has no meaning in a replay: the log says when to send',
  holds: ({ shape }) => shape !== 'replay',
};

export const OF_STEPS: Applicability = {
  rule: 'has no meaning for stages: the scenario says how long each is',
  holds: ({ shape }) => shape !== 'stages',
};

export const OF_WARMUP: Applicability = {
  rule: 'has no meaning where the log (replay) or the scenario (stages) says when to send',
  holds: ({ shape }) => shape !== 'replay' && shape !== 'stages',
};

export const OF_URL: Applicability = {
  rule: 'is for a URL; a log and a scenario have methods of their own',
  holds: ({ input }) => input === undefined || input === 'url',
};

export const OF_BODY: Applicability = {
  rule: 'is for a URL, or for --write; a log and a scenario have bodies of their own',
  holds: (use) => OF_URL.holds(use) || isAsked('write', use),
};

export const OF_MIX: Applicability = {
  rule: 'has no place in a replay or a scenario, which have their own writes',
  holds: ({ input, shape }) => input !== 'scenario' && shape !== 'replay',
};

export const OF_WRITE: Applicability = {
  rule: 'needs --write',
  holds: (use) => isAsked('write', use),
};

export const OF_LOG: Applicability = {
  rule: 'is for an access log, and none is read here',
  holds: ({ input }) => input === undefined || input === 'log',
};

export const OF_TARGETS: Applicability = {
  rule: 'needs a --target: nothing else is judged',
  holds: (use) => isAsked('target', use) || use.input === 'scenario' || use.input === 'run',
};

export const OF_LOG_MIX: Applicability = {
  rule: 'varies the mix of a log, which a scenario has not',
  holds: ({ input }) => input !== 'scenario',
};

export const OF_ISOLATION: Applicability = {
  rule: 'has no meaning where no route is run alone (--no-isolate, --against, a scenario)',
  holds: ({ input, options }) =>
    options['isolate'] !== false && options['against'] === undefined && input !== 'scenario',
};

export const OF_ONE_RUN: Applicability = {
  rule: 'is for one run, not for --repeat or --against; shipload compare --github shows those',
  holds: ({ options }) => Number(options['repeat'] ?? 1) === 1 && options['against'] === undefined,
};

export const OF_START: Applicability = {
  rule: 'needs --start: a service that runs already is asked once',
  holds: (use) => isAsked('start', use),
};

export const OF_DRAWS: Applicability = {
  rule: 'has no meaning here: nothing is drawn at random',
  holds: ({ draws = true }) => draws,
};

export const OF_PERMISSION: Applicability = {
  rule: 'is for a permission that is given; --revoke takes one back',
  holds: (use) => !isAsked('revoke', use),
};

export const OF_WRITTEN: Applicability = {
  rule: 'has no meaning here: nothing is written',
  holds: ({ writes = true }) => writes,
};

export const OF_CATALOGUE = demos('catalogue');
export const OF_PACED_DEMOS = demos('catalogue', 'pool', 'ledger');
export const OF_ZOO_MEMBER: Applicability = {
  ...demos('zoo'),
  rule: 'is for a member of the zoo: shipload demo zoo NAME',
};
