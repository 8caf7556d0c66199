import type { Finding } from '../../model/analysis.ts';
import { acceptBacklog } from './accept-backlog.ts';
import { cacheFill } from './cache-fill.ts';
import { connectionLimit } from './connection-limit.ts';
import { cpuBound } from './cpu-bound.ts';
import { cpuThrottled } from './cpu-throttled.ts';
import { descriptorLeak } from './descriptor-leak.ts';
import { diskBound } from './disk-bound.ts';
import { downstreamDelay } from './downstream-delay.ts';
import { errorBound } from './error-bound.ts';
import { failingAtAnyLoad } from './failing-at-any-load.ts';
import { generatorBound } from './generator-bound.ts';
import { memoryLeak } from './memory-leak.ts';
import { memoryPressure } from './memory-pressure.ts';
import { moreIsLess } from './more-is-less.ts';
import { oneLaneBridge } from './one-lane-bridge.ts';
import { pauses } from './pauses.ts';
import { poolBound } from './pool-bound.ts';
import { poolLeak } from './pool-leak.ts';
import { rateLimited } from './rate-limited.ts';
import type { DiagnosisRule } from './rule.ts';
import { serialLock } from './serial-lock.ts';
import { slowRecovery } from './slow-recovery.ts';

/** What may stop a service, the particular before the general: of equal confidence the first leads. */
export const CAUSES = [
  cpuThrottled,
  memoryPressure,
  rateLimited,
  connectionLimit,
  acceptBacklog,
  oneLaneBridge,
  pauses,
  moreIsLess,
  diskBound,
  serialLock,
  poolBound,
  cpuBound,
  memoryLeak,
  descriptorLeak,
  poolLeak,
  cacheFill,
  slowRecovery,
  downstreamDelay,
  errorBound,
  failingAtAnyLoad,
  generatorBound,
] as const satisfies readonly DiagnosisRule[];

const CAUSE_IDS: ReadonlySet<string> = new Set(CAUSES.map(({ id }) => id));
const STRONGEST_FIRST: readonly Finding['confidence'][] = ['high', 'medium', 'low'];

const isCause = ({ ruleId }: Finding): boolean => CAUSE_IDS.has(ruleId);

/** The causes, the surest first and of equal confidence as they came; then the other findings as they came. */
export const surestFirst = (findings: readonly Finding[]): readonly Finding[] => [
  ...STRONGEST_FIRST.flatMap((level) => findings.filter((one) => isCause(one) && one.confidence === level)),
  ...findings.filter((one) => !isCause(one)),
];

/** The findings that name a cause, the surest first: what is of low confidence is a hint and names nothing. */
export const namedCauses = (findings: readonly Finding[]): readonly Finding[] =>
  surestFirst(findings).filter((one) => isCause(one) && one.confidence !== 'low');
