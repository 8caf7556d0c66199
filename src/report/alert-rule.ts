import type { RemedyOption } from '../model/analysis.ts';
import type { RunRecord } from '../model/record.ts';
import type { Target } from '../model/verdict.ts';
import { printable } from './escape.ts';
import { givenDuration, percent } from './quantities.ts';

/** A Prometheus alerting rule with the reason for its threshold. */
export interface AlertRule {
  readonly reason: string;
  /** YAML of one rule group. */
  readonly yaml: readonly string[];
}

/** A p95 is that of a hit only while fewer than 5 % of the requests miss. */
const HIT_RATIO_FOR_P95 = 0.95;
/** Above 70 % of a core, queueing makes response times grow faster than the load. */
const CPU_LIMIT = 0.7;

/**
 * The alert that watches what the result rests on: the hit ratio where a cache was chosen, else p95 at its target,
 * else the CPU at 70 % of its cores. Metric names are those of the common client libraries, to be adapted.
 */
export function alertRule(before: RunRecord): AlertRule {
  const chosen = before.options?.find((option) => option.verdict === 'chosen');
  if (chosen !== undefined && isCache(chosen)) return hitRatioRule();
  const goal = before.manifest.targets.find(
    ({ metric, comparison }) => metric === 'p95' && comparison === '<=',
  );
  return goal === undefined ? cpuRule(before.manifest.service.serverCount ?? 1) : p95Rule(goal);
}

/** Whether a remedy is a cache, told by its id or its words. */
function isCache({ id, option }: RemedyOption): boolean {
  return /\bcach(e|ing)\b/i.test(`${id} ${option}`);
}

function hitRatioRule(): AlertRule {
  const hits = 'sum(rate(cache_hits_total[5m]))';
  return {
    reason: `The remedy is a cache: below ${percent(HIT_RATIO_FOR_P95)} hits the p95 is that of a miss, and each miss costs the full demand again.`,
    yaml: ruleGroup({
      alert: 'CacheHitRatioLow',
      expr: `${hits} / (${hits} + sum(rate(cache_misses_total[5m]))) < ${HIT_RATIO_FOR_P95}`,
      summary: `The cache hit ratio is below ${percent(HIT_RATIO_FOR_P95)}: the load test’s result no longer holds`,
    }),
  };
}

function p95Rule({ limit, route, text }: Target): AlertRule {
  const selector = route === undefined ? '' : `{route=${JSON.stringify(printable(route))}}`;
  const rate = `rate(http_request_duration_seconds_bucket${selector}[5m])`;
  return {
    reason: `The p95 target itself, ${text}, watched in production.`,
    yaml: ruleGroup({
      alert: 'ResponseTimeP95AboveTarget',
      expr: `histogram_quantile(0.95, sum by (le) (${rate})) > ${limit}`,
      summary: `p95 is above ${givenDuration(limit)}, the target of the load test`,
    }),
  };
}

function cpuRule(serverCount: number): AlertRule {
  return {
    reason: `No response-time target was given: the CPU at ${percent(CPU_LIMIT)} of its cores.`,
    yaml: ruleGroup({
      alert: 'CpuAbovePlan',
      expr: `rate(process_cpu_seconds_total[5m]) / ${serverCount} > ${CPU_LIMIT}`,
      summary: `The service uses more than ${percent(CPU_LIMIT)} of its CPU, beyond what was planned for`,
    }),
  };
}

/** Values as JSON strings, which are YAML too, so that no route can break out of its place. */
function ruleGroup(rule: {
  readonly alert: string;
  readonly expr: string;
  readonly summary: string;
}): readonly string[] {
  return [
    'groups:',
    '  - name: load-test-follow-up',
    '    rules:',
    `      - alert: ${rule.alert}`,
    `        expr: ${JSON.stringify(rule.expr)}`,
    '        for: 10m',
    '        labels:',
    '          severity: page',
    '        annotations:',
    `          summary: ${JSON.stringify(rule.summary)}`,
  ];
}
