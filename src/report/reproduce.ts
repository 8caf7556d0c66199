import type { ReportDocument } from '../model/documents.ts';
import type { Pinning } from '../model/record.ts';
import { shellWord } from './escape.ts';
import type { Fact } from './facts.ts';
import { known, when } from './facts.ts';
import * as q from './quantities.ts';
import { loadKind } from './step-columns.ts';

/** What was run, on what, against what: enough to do it again. */
export function reproduceFacts(document: ReportDocument): readonly Fact[] {
  const { plan, service, environment, workload } = document;
  if (plan.steps.length === 0) return importedFacts(document);
  return known([
    ['command', document.command.map(shellWord).join(' ')],
    [
      'service',
      [service.url, when(service.startCommand, (c) => `started by ${c}`)].filter(Boolean).join(', '),
    ],
    [
      'm',
      when(
        service.serverCount,
        (m) => `${q.counted(m, 'core')}${when(service.serverCountSource, (s) => ` (${s})`) ?? ''}`,
      ),
    ],
    [
      'workload',
      when(
        workload,
        (w) =>
          `${w.files.join(', ')} (${w.format}), window ${w.window.rule}, ${q.count(w.requestCount)} requests of ${q.counted(w.clientCount, 'client')}`,
      ),
    ],
    ['mix', plan.requests.map((r) => `${q.percent(r.shareRatio)} ${r.id}`).join(', ')],
    ['load', loadShape(document)],
    ['seed', String(plan.seed)],
    [
      'versions',
      `shipload ${environment.shiploadVersion}, Node ${environment.nodeVersion}, ${environment.platform}`,
    ],
    [
      'machine',
      `${environment.cpuModel}, ${environment.usableCoreCount} of ${q.counted(environment.machineCoreCount, 'core')}, ${q.bytes(environment.memoryBytes)}`,
    ],
    ['pinned', when(environment.pinning, pinnedText)],
    ['started', document.startedAt],
  ]);
}

function pinnedText({ generatorCores, serviceCores }: Pinning): string {
  const on = (cores: readonly number[]): string => `core ${cores.join(', ')}`;
  const service =
    serviceCores === undefined ? 'the service was left where it ran' : `service on ${on(serviceCores)}`;
  return `generator on ${on(generatorCores)}, ${service}`;
}

/** What was imported: which file, read as what, by whom, and when; how it came about only its maker knows. */
function importedFacts(document: ReportDocument): readonly Fact[] {
  const { command, service, environment, startedAt, imported } = document;
  if (imported === undefined || imported.basis === 'table') return tableFacts(document);
  return known([
    ['command', command.length === 0 ? undefined : command.map(shellWord).join(' ')],
    ['results of', imported.tool],
    ['file', service.url],
    ['read as', `${imported.format}: ${imported.detectedBy}`],
    [
      'lines',
      `${q.count(imported.lines.total)}, of which ${q.count(imported.lines.unread)} could not be read`,
    ],
    [
      'figures',
      imported.basis === 'samples'
        ? 'from every request in the file; percentiles by nearest rank'
        : `as ${imported.tool} summed them up`,
    ],
    ['run began', imported.startedAt],
    ['read by', `shipload ${environment.shiploadVersion}, Node ${environment.nodeVersion}`],
    ['read at', startedAt],
  ]);
}

function tableFacts({ command, service, environment, startedAt }: ReportDocument): readonly Fact[] {
  return known([
    ['command', command.map(shellWord).join(' ')],
    ['table', service.url],
    ['read by', `shipload ${environment.shiploadVersion}, Node ${environment.nodeVersion}`],
    ['read at', startedAt],
  ]);
}

/** What the loads of a plan count, also when no step was finished. */
function loadNoun({ plan, steps }: ReportDocument): string {
  if (steps.length > 0) return loadKind(steps).noun;
  if (plan.steps[0]?.driver.kind === 'open') return 'arrivals/s';
  return plan.thinkTimeSeconds === undefined ? 'workers' : 'users';
}

function loadShape(document: ReportDocument): string {
  const { plan } = document;
  const loads = plan.steps.map(({ driver }) =>
    driver.kind === 'closed' ? driver.users : driver.arrivalRatePerSecond,
  );
  const step = plan.steps.at(-1);
  // Parts of a run in time follow one another: only the first is warmed up for.
  const warmup = (step?.part === undefined ? step : plan.steps[0])?.warmupSeconds;
  const think = plan.thinkTimeSeconds;
  const range =
    think?.min === undefined || think.max === undefined
      ? ''
      : `, ${think.kind} ${q.givenDuration(think.min)}–${q.givenDuration(think.max)}`;
  return [
    `${plan.shape}: ${loadsText(loads)} ${loadNoun(document)}`,
    when(step, () => `${measuredText(plan.steps)} measured after ${q.givenDuration(warmup)} of warm-up`),
    think === undefined ? 'no think time' : `think time ${q.givenDuration(think.mean)} on average${range}`,
    when(plan.usersPerSecond, (u) => `${q.givenFigure(u)} users join a second`),
  ]
    .filter((part) => part !== undefined)
    .join('; ');
}

/** `1, 25, 50`; a load that stays is told once: `8 in 10 windows of`. */
function loadsText(loads: readonly number[]): string {
  const isOne = loads.length > 1 && loads.every((load) => load === loads[0]);
  return isOne ? `${loads.length} windows of ${q.load(loads[0])}` : loads.map(q.load).join(', ');
}

/** `40 s`, or `3.5 s (45 s at 39 users)` where judged steps were made longer. */
function measuredText(steps: ReportDocument['plan']['steps']): string {
  const usual = Math.min(...steps.map((step) => step.measureSeconds));
  const longer = steps.filter((step) => step.measureSeconds > usual);
  const exceptions = longer.map((step) => `${q.givenDuration(step.measureSeconds)} at ${step.label}`);
  return exceptions.length === 0
    ? q.givenDuration(usual)
    : `${q.givenDuration(usual)} (${exceptions.join(', ')})`;
}
