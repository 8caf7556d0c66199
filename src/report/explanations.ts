import { CONTEXT_RULES } from './context-explanations.ts';
import { type FieldRule, GIVEN, rule } from './field-rule.ts';
import { SHAPE_RULES } from './shape-explanations.ts';

const MEASURED = 'counted by the generator in the window of the step';
const COUNTERS = 'the kernel’s counters of the watched process and its children';
const LAW = 'operational law (Denning and Buzen 1978)';
const ORDER = 'David and Nagaraja, Order Statistics: exact, without an assumed shape';
const FIT = 'smooth minimum fitted to X(N) by weighted least squares, with a parametric bootstrap';
const USL = 'Gunther 2007: X(N) = λN/(1 + α(N−1) + βN(N−1)), fitted with α, β ≥ 0';
const ISOLATED = 'the run of this route alone';

const percentile = (order: number): FieldRule =>
  rule(`${order} % of the response times are no longer than this`, MEASURED, {
    formula: `x₍⌈${order / 100}·n⌉₎ of n sorted response times (nearest rank), from a histogram with bins of at most 0.1 %`,
    inputs: ['sampleCount', `p${order}Interval.low`, `p${order}Interval.high`],
  });

const percentiles = (at: string): Record<string, FieldRule> => ({
  [`${at}.p50Seconds`]: percentile(50),
  [`${at}.p95Seconds`]: percentile(95),
  [`${at}.p99Seconds`]: percentile(99),
  [`${at}.meanSeconds`]: rule('mean response time', MEASURED, {
    formula: 'sum of exact response times / n',
    inputs: ['sampleCount'],
  }),
  [`${at}.maxSeconds`]: rule('the longest response time: one sample', MEASURED, { inputs: ['sampleCount'] }),
  [`${at}.reported.percentiles[][]`]: rule(
    'percentile (0–100), then its response time in seconds, as another tool told them',
    'the tool’s own report',
    { inputs: ['reported.by'] },
  ),
  [`${at}.sampleCount`]: rule('response times behind the percentiles: successes and timeouts', MEASURED),
  [`${at}.throughputPerSecond`]: rule('successes a second', MEASURED, { formula: 'X = C/T' }),
  ...Object.fromEntries(
    ['p95Interval', 'p99Interval'].flatMap((name) =>
      ['low', 'high'].map((end) => [
        `${at}.${name}.${end}`,
        rule(`${end === 'low' ? 'lower' : 'upper'} end of the 95 % interval of the percentile`, ORDER, {
          formula: 'x₍l₎ … x₍u₎ with l, u from Binomial(n, p)',
        }),
      ]),
    ),
  ),
});

const STEP: Readonly<Record<string, FieldRule>> = {
  index: rule('place of the step in the plan', GIVEN),
  users: rule('N: users who loop, with think time', GIVEN),
  concurrency: rule('N: workers who loop without think time', GIVEN),
  arrivalRatePerSecond: rule('λ: requests started a second, whatever the service does', GIVEN),
  writeRatio: rule('share of writes that was asked for', GIVEN),
  sentPerSecond: rule('requests sent a second, to hold against the rate asked for', MEASURED, {
    formula: 'sent / T',
    inputs: ['windowSeconds', 'arrivalRatePerSecond'],
  }),
  droppedCount: rule('arrivals that found `maxInFlight` unanswered, and were not sent', MEASURED),
  cacheHitRatio: rule('hits of the service’s cache', 'the service’s own counters', {
    formula: 'hits / (hits + misses)',
  }),
  windowSeconds: rule('T: from the first to the last counter sample', MEASURED),
  completionCount: rule('C: successful completions in the window', MEASURED),
  throughputPerSecond: rule('X: successes a second', LAW, {
    formula: 'X = C/T',
    inputs: ['completionCount', 'windowSeconds'],
  }),
  throughputStandardErrorPerSecond: rule(
    'standard error of X',
    'ten batch means of the slices of the window',
  ),
  errorCount: rule('errors and timeouts in the window', MEASURED),
  errorRatio: rule('share of ended requests that failed', MEASURED, {
    formula: 'errors / (successes + errors)',
    inputs: ['errorCount', 'completionCount'],
  }),
  responseTimeSeconds: rule(
    'R: mean from the intended start to the last byte, successes and timeouts',
    MEASURED,
    { formula: 'sum of exact response times / n', inputs: ['overall.sampleCount'] },
  ),
  thinkTimeSeconds: rule('Z as realised: from an end to the next start', MEASURED),
  meanInFlight: rule('mean number of requests in flight', 'the time integral of requests in flight, / T'),
  'busySeconds.*': rule('B: CPU seconds used in the window', COUNTERS),
  'utilizationRatio.*': rule('U: busy share of the m servers', 'utilisation law', {
    formula: 'U = B/(T·m); gauges of use (machine CPU, disk) stand as measured',
    inputs: ['busySeconds.*', 'windowSeconds', 'serverCount.*'],
  }),
  'serviceDemandSeconds.*': rule('D: busy seconds a successful request costs', 'service demand law', {
    formula: 'D = U·m/X = B/C',
    inputs: ['utilizationRatio.*', 'serverCount.*', 'throughputPerSecond'],
  }),
  'serverCount.*': rule(
    'm: servers side by side',
    '--cores; else affinity and cgroup quota, but 1 where one thread carried over 90 % of the CPU time',
  ),
  littleResidualRatio: rule('how far Little’s law is from the users that were asked for', LAW, {
    formula: '(X(R+Z) − N)/N over everything that ended',
    inputs: ['throughputPerSecond', 'responseTimeSeconds', 'thinkTimeSeconds', 'users'],
  }),
  machineCpuRatio: rule('busy share of the whole machine', 'the kernel’s counters of the machine'),
  machineCoreCount: rule('logical processors of the machine', 'the kernel'),
  loadPerCore: rule('load average over one minute, a core', 'the kernel'),
  runQueuePerCore: rule('mean number of runnable threads, a core', 'the kernel'),
  diskBusyRatio: rule('busy share of the busiest disk', 'the kernel'),
  residentBytes: rule('memory of the process at the end of the window (RSS)', COUNTERS),
  residentGrowthBytes: rule('RSS at the end minus at the start of the window', COUNTERS),
  descriptorCount: rule('open file descriptors at the end of the window', COUNTERS),
  threadCount: rule('threads at the end of the window', COUNTERS),
  'generator.utilizationRatio': rule(
    'busy share of the generator’s cores',
    'the generator’s own CPU account',
  ),
  'generator.scheduleLagP99Seconds': rule('p99 of the lag of a send behind its intended start', MEASURED),
  'generator.workers[].cpuSeconds': rule('CPU seconds of this worker thread', 'the kernel'),
  'generator.workers[].utilizationRatio': rule('busy share of the worker’s one core', 'the kernel', {
    formula: 'CPU seconds of the thread / T',
    inputs: ['generator.workers[].cpuSeconds', 'windowSeconds'],
  }),
  'generator.workers[].scheduleLagP99Seconds': rule(
    'p99 of the lag of this worker’s sends behind their intended start',
    MEASURED,
  ),
  'generator.workers[].eventLoopDelayMaxSeconds': rule(
    'longest delay of the worker’s event loop that was seen',
    'a beat every 20 ms',
  ),
  valid: rule('no notice of the step is a red flag', 'the validity rules of docs/method.md'),
};

const CURVE: Readonly<Record<string, FieldRule>> = {
  'knee.seen': rule('whether the data carry a knee', 'six gates, see knee.reason'),
  'knee.reason': rule('why the knee was or was not seen', 'the gates of docs/method.md'),
  'knee.users': rule('N*: where the light-load line meets the plateau', FIT, {
    formula: 'k of X(N) = aN/(1 + (N/k)^p)^(1/p)',
    inputs: ['interval'],
  }),
  'knee.interval': rule('95 % interval of the knee, widened by 10 %', FIT),
  'knee.lowerBound': rule('N* is higher than this in 97.5 %', FIT, {
    formula:
      'the lower of the 2.5 % quantile of k over the bootstrap and of the lowest knee that fits within 3.84 variances, less 10 %',
  }),
  'knee.upperBound': rule('N* is lower than this in 97.5 %: the sweep may start above it', FIT, {
    formula: 'the first load, or the 97.5 % quantile of k over the bootstrap and 10 % where that is higher',
  }),
  'knee.bend': rule(
    'the first pair of steps from which every slope stays below 0.9 of the light-load slope',
    'marginal slopes of the step table',
    { formula: '(Xᵢ₊₁ − Xᵢ)/(Nᵢ₊₁ − Nᵢ) < 0.9·a' },
  ),
  'knee.peak.load': rule('load of the step with the highest X', 'the step table'),
  'knee.peak.throughputPerSecond': rule('the highest X of a valid step', 'the step table'),
  'knee.peak.reached': rule('whether X fell after the highest step, or was level there', 'see knee.rise'),
  'knee.rise.gainRatio': rule('how much X still rose at the end, of the last X', 'the step table', {
    formula:
      'a weighted line through the steps from 0.8 of the last load on; beyond 1.64 standard errors and 3 %',
    inputs: ['rise.fromLoad', 'rise.toLoad'],
  }),
  'knee.rise.fromLoad': rule('the first of the steps that the rise was read from', 'the step table'),
  'knee.rise.toLoad': rule('the last of the steps that the rise was read from', 'the step table'),
  'knee.capacityPerSecond': rule('C: the most it carries', 'see knee.capacitySource', {
    formula: 'the plateau where X levelled off; else the asymptote m/D; else the highest X, a lower bound',
    inputs: ['capacitySource', 'rise.gainRatio'],
  }),
  'knee.capacitySource': rule('which of the three the capacity is', 'the rule of knee.capacityPerSecond'),
  'knee.planForPerSecond': rule(
    'what to plan for: at least this where C is a lower bound',
    'headroom of 30 %',
    {
      formula: '0.70·C',
      inputs: ['capacityPerSecond', 'capacitySource'],
    },
  ),
  'knee.operatingBand': rule('the loads that use 50–70 % of the capacity', 'the step table', {
    inputs: ['capacityPerSecond'],
  }),
  'knee.degradation.fromLoad': rule('load from which X falls by more than noise', 'the step table'),
  'knee.degradation.lossRatio': rule(
    'share of the highest X that is lost at the last step',
    'the step table',
  ),
  'saturation.users': rule('where the asymptotes cross', 'asymptotic bounds (Lazowska et al. 1984, ch. 5)', {
    formula: '(R₀+Z)·X_plateau and (D+Z)/Dmax',
    inputs: ['method', 'interval', 'isLowerBound'],
  }),
  'saturation.isLowerBound': rule('the crossing rests on X alone, and X still rose', 'see knee.rise'),
  'saturation.isUpperBound': rule(
    'the sweep may start above the knee, where N/X is more than R₀ + Z',
    'see knee.reason',
  ),
  'knee.degradation.isLastStepOnly': rule('whether only the last step lies lower', 'the step table'),
  'saturation.interval': rule('the crossings and their error', 'asymptotic bounds', {
    formula: '± (1.96·√(se(X_plateau)² + se(R₀+Z)²) + 3 %)',
  }),
  'saturation.method': rule('which of the crossings the figure is', 'asymptotic bounds'),
  'usl.throughputAtOnePerSecond': rule('λ: throughput of one user', USL),
  'usl.contention': rule('α: the serial share', USL, { inputs: ['contentionStandardError'] }),
  'usl.contentionStandardError': rule('standard error of α', USL),
  'usl.coherency': rule('β: the cost of agreeing, per pair', USL, { inputs: ['coherencyStandardError'] }),
  'usl.coherencyStandardError': rule('standard error of β', USL),
  'usl.peakUsers': rule('where the fit has its highest X', USL, {
    formula: '√((1−α)/β), only where β is beyond its error and the peak inside the data',
    inputs: ['contention', 'coherency'],
  }),
  'crossChecks[].users': rule('the answer of another method', 'see method and note', {
    inputs: ['method', 'note'],
  }),
  'crossChecks[].standardError': rule('standard error of the other method', 'see method', {
    inputs: ['method'],
  }),
};

const JUDGED: Readonly<Record<string, FieldRule>> = {
  ...Object.fromEntries(
    ['evidence', 'counterEvidence'].flatMap((kind) => [
      [
        `findings[].${kind}[].value`,
        rule('a figure that the finding rests on', 'see text', { inputs: ['quantity', 'text', 'stepIndex'] }),
      ],
      [`findings[].${kind}[].stepIndex`, rule('the step that shows the figure', 'the step table')],
    ]),
  ),
  'verdict.decision': rule('the worst of the checks', 'the rules of the verdict', { inputs: ['reason'] }),
  'verdict.marginRatio': rule('how far inside its limit a figure must lie', GIVEN),
  'verdict.checks[].observed': rule('what the run showed for the target', 'the step table', {
    inputs: ['target', 'stepIndex'],
  }),
  'verdict.checks[].interval': rule('95 % interval of the observed figure', `${ORDER}; X by batch means`),
  'verdict.checks[].neededForPass': rule('what passing with margin takes', 'the margin', {
    formula: '(1 − margin)·limit for ≤, (1 + margin)·limit for ≥',
    inputs: ['goal.limit', '/verdict.marginRatio'],
  }),
  'verdict.checks[].stepIndex': rule(
    'the step the target is judged at',
    'the load the target names, else the peak',
  ),
  'verdict.checks[].result': rule('pass, no margin, fail or inconclusive', 'the rules of the verdict', {
    inputs: ['observed', 'neededForPass', 'goal.limit', 'reason'],
  }),
  'verdict.checks[].goal.limit': rule('the limit of the target, SI units', GIVEN),
  'verdict.checks[].goal.load': rule('the load the target names', GIVEN),
};

const ALONE: Readonly<Record<string, FieldRule>> = {
  'isolation.demandRatio': rule('largest demand over smallest', ISOLATED),
  'isolation.mixDemandSeconds': rule('D of the mix', ISOLATED, { formula: 'Σ share·D' }),
  'isolation.serverCount': rule('m: cores the service can use', '--cores, else as found'),
  'isolation.routes[].windowSeconds': rule('T of the isolated run', ISOLATED),
  'isolation.routes[].errorCount': rule('failed requests', ISOLATED),
  'isolation.routes[].shareRatio': rule('share of the requests of the mix', 'the workload'),
  'isolation.routes[].users': rule('users of the isolated run: the route’s share of all', GIVEN),
  'isolation.routes[].completionCount': rule('C of the isolated run', ISOLATED),
  'isolation.routes[].throughputPerSecond': rule('X alone', ISOLATED, {
    formula: 'X = C/T',
    inputs: ['completionCount', 'windowSeconds'],
  }),
  'isolation.routes[].utilizationRatio': rule('U alone', ISOLATED, { formula: 'U = B/(T·m)' }),
  'isolation.routes[].serviceDemandSeconds': rule('D: CPU seconds of a request', ISOLATED, {
    formula: 'D = B/C; idle costs of the process are part of B',
    inputs: ['completionCount'],
  }),
  'isolation.routes[].p50Seconds': rule('median response time alone', ISOLATED, {
    inputs: ['completionCount'],
  }),
  'isolation.routes[].p95Seconds': rule('p95 alone', ISOLATED, { inputs: ['completionCount'] }),
  'isolation.routes[].meanSeconds': rule('R0: mean response time alone, where nothing waited', ISOLATED, {
    inputs: ['completionCount', 'users'],
  }),
  'isolation.routes[].quantileSeconds[]': rule(
    'quantile of order i/100 of the same response times',
    ISOLATED,
  ),
  'isolation.routes[].lockHeldSeconds': rule(
    'time a lock was held a request',
    'lockHeldSeconds of the page',
    {
      formula: 'held seconds a second / X',
      inputs: ['throughputPerSecond'],
    },
  ),
  'isolation.routes[].threadDemandSeconds': rule('CPU seconds of a request on the busiest thread', ISOLATED, {
    formula: 'B of the thread / C',
    inputs: ['completionCount'],
  }),
  'isolation.routes[].demandUsers': rule('users of the busier step that D was measured in', GIVEN),
  'isolation.routes[].shareOfWorkRatio': rule('share of all CPU work', ISOLATED, {
    formula: 'share·D / Σ share·D',
    inputs: ['shareRatio', 'serviceDemandSeconds', '/isolation.mixDemandSeconds'],
  }),
};

const SIMULATED = 'the driver on a virtual clock against stations with the isolated demands';

const PREDICTED: Readonly<Record<string, FieldRule>> = {
  'options[].predicted.users': rule('load of the prediction: the peak', GIVEN),
  'options[].predicted.throughputPerSecond': rule('X with the remedy', SIMULATED),
  'options[].predicted.utilizationRatio': rule('U with the remedy', 'utilisation law', {
    formula: 'U = X·D/m',
  }),
  'options[].predicted.saturationUsers': rule('N* with the remedy', 'asymptotic bounds', {
    formula: '(D+Z)/Dmax',
  }),
  'options[].predicted.p95ByRoute.*': rule('p95 of the route with the remedy', SIMULATED),
};

const GUESSED: Readonly<Record<string, FieldRule>> = {
  'guesses[].guessed': rule('what a person expected of the run', '--prediction, stored before the run'),
  'guesses[].measured': rule('what the run showed', 'the step table, see note', { inputs: ['note'] }),
  'guesses[].errorRatio': rule('how far the guess was off', 'guess and measurement', {
    formula: 'guessed/measured − 1',
    inputs: ['guessed', 'measured'],
  }),
};

const SETUP: Readonly<Record<string, FieldRule>> = {
  schemaVersion: rule('version of the document’s schema', 'docs/schema/report.json'),
  peakLoad: rule('load of the judged step where a target names none: the log’s M', 'the workload', {
    formula: 'M = X(R+Z)',
  }),
  'service.serverCount': rule('m: cores the service can use', 'see service.serverCountSource', {
    inputs: ['serverCountSource'],
  }),
  'service.pid': rule('the watched process', 'the operating system'),
  'environment.machineCoreCount': rule('logical processors of the machine', 'the operating system'),
  'environment.pinning.generatorCores[]': rule('cores that the generator was kept to', '--pin'),
  'environment.pinning.serviceCores[]': rule('cores that the started service was kept to', '--pin'),
  'environment.usableCoreCount': rule('processors the generator may use', 'the operating system'),
  'environment.memoryBytes': rule('memory of the machine', 'the operating system'),
  'plan.seed': rule('seed of all random draws', GIVEN),
  'plan.usersPerSecond': rule('how fast users join', GIVEN),
  'plan.requestTimeoutSeconds': rule('a longer wait counts as a timeout', GIVEN),
  'plan.thinkTimeSeconds.mean': rule('Z of the plan', 'the log’s sessions, or --think'),
  'plan.thinkTimeSeconds.min': rule('shortest think time of the plan', GIVEN),
  'plan.thinkTimeSeconds.max': rule('longest think time of the plan', GIVEN),
  'plan.steps[].index': rule('place of the step', GIVEN),
  'plan.steps[].driver.users': rule('users of the step', GIVEN),
  'plan.steps[].driver.arrivalRatePerSecond': rule('requests started a second', GIVEN),
  'plan.steps[].driver.maxInFlight': rule('more in flight than this are dropped', GIVEN),
  'plan.steps[].warmupSeconds': rule('part of the step before the window', GIVEN),
  'plan.steps[].measureSeconds': rule('length of the window', GIVEN),
  'plan.requests[].shareRatio': rule('share of the requests', 'the workload'),
  'plan.requests[].distinctTargetCount': rule('distinct targets of the class in the log', 'the workload'),
  'workload.requestCount': rule('requests in the window of the log', 'the log'),
  'workload.clientCount': rule('distinct clients in the window of the log', 'the log'),
  'workload.spanSeconds': rule('from the first to the last request, or the window’s own length', 'the log'),
  'workload.throughputPerSecond': rule('X of the log', LAW, {
    formula: 'requests / span',
    inputs: ['requestCount', 'spanSeconds'],
  }),
  'workload.busiestMinutePerSecond': rule('X of the fullest minute', 'the log'),
  'workload.thinkTimeMeanSeconds': rule('Z: previous end to next start within a session', 'the log'),
  'workload.activeUsers': rule('M: users who must loop to make X', LAW, {
    formula: 'M = X(R+Z)',
    inputs: ['throughputPerSecond', 'thinkTimeMeanSeconds'],
  }),
  'workload.window.fromSeconds': rule('begin of the window, since the epoch', 'the log'),
  'workload.window.toSeconds': rule('end of the window, since the epoch', 'the log'),
};

/** Every figure of the report document by its path; `[]` is any element, `*` any route or resource. */
export const FIELD_RULES: Readonly<Record<string, FieldRule>> = {
  ...Object.fromEntries(Object.entries(STEP).map(([name, one]) => [`steps[].${name}`, one])),
  ...percentiles('steps[].overall'),
  ...percentiles('steps[].byRoute.*'),
  ...CURVE,
  ...JUDGED,
  ...ALONE,
  ...PREDICTED,
  ...GUESSED,
  ...SHAPE_RULES,
  ...CONTEXT_RULES,
  ...SETUP,
};
