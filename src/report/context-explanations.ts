import { type FieldRule, GIVEN, rule } from './field-rule.ts';

const SERVICE = 'the service’s own histogram, from its metrics page';
const AGENT = 'told by the agent, checked by the coordinator';
const FOUND = 'the counters of the step, see text';

/** An experiment that would decide a finding, at a path of the report. */
const experimentAt = (place: string): Record<string, FieldRule> => ({
  [`${place}.stepIndex`]: rule('the step the experiment starts from and is compared with', 'the rule'),
  ...Object.fromEntries(
    ['supports', 'refutes'].flatMap((outcome) =>
      ['atLeast', 'atMost'].map((end) => [
        `${place}.${outcome}.${end}`,
        rule(
          `${end === 'atLeast' ? 'lowest' : 'highest'} ratio after/before that ${outcome} the finding`,
          'the rule of the finding',
          { inputs: ['kind', 'reads.quantity'] },
        ),
      ]),
    ),
  ),
});

/** What the tables of resources and times, experiments and agents show, by its path in the report. */
const OBSERVED: Readonly<Record<string, FieldRule>> = {
  ...experimentAt('findings[].experiment'),
  ...experimentAt('confirmations[].experiment'),
  'confirmations[].before': rule('what the experiment reads, before it', 'the step it starts from', {
    inputs: ['experiment.reads.quantity'],
  }),
  'confirmations[].after': rule('the same after it', 'the step of the experiment', {
    inputs: ['experiment.reads.quantity'],
  }),
  'confirmations[].ratio': rule('how it changed', 'the two steps', {
    formula: 'after / before',
    inputs: ['before', 'after'],
  }),
  'confirmations[].seconds': rule('how long the experiment took', 'the generator’s clock'),
  'useTable.stepIndex': rule('the step of the table: the valid one of the highest load', 'the step table'),
  'useTable.rows[].utilization.value': rule('how busy the resource was', FOUND, {
    inputs: ['resource', 'utilization.unit', 'utilization.text'],
  }),
  'useTable.rows[].saturation.value': rule('how much waited for the resource', FOUND, {
    inputs: ['resource', 'saturation.unit', 'saturation.text'],
  }),
  'useTable.rows[].errors.value': rule('what failed at the resource', FOUND, {
    inputs: ['resource', 'errors.unit', 'errors.text'],
  }),
  'responseSplits[].stepIndex': rule('the step of the times', 'the step table'),
  'responseSplits[].clientP50Seconds': rule('median as the generator saw it', 'the step’s response times'),
  'responseSplits[].clientP95Seconds': rule('p95 as the generator saw it', 'the step’s response times'),
  'responseSplits[].serviceP50Seconds': rule('median as the service counts it', SERVICE),
  'responseSplits[].serviceP95Seconds': rule('p95 as the service counts it', SERVICE),
  'responseSplits[].insideRatio': rule('share of the time that goes by inside the service', SERVICE, {
    formula: 'median of the service / median of the client',
    inputs: ['serviceP50Seconds', 'clientP50Seconds'],
  }),
  'agents[].coreCount': rule('cores of the agent’s machine', AGENT),
  'agents[].clockUncertaintySeconds': rule(
    'how far its clock may lie beside the coordinator’s, either way',
    'round trips to the agent',
    { formula: '½ · shortest round trip' },
  ),
  'agents[].clockDriftSeconds': rule('how far its clock drifted beyond that', 'round trips to the agent'),
  'agents[].wallClockOffsetSeconds': rule('its wall clock less the coordinator’s', 'both wall clocks'),
  'agents[].startLateSeconds': rule('how late it started', AGENT, { formula: 'actual − set start' }),
  'agents[].eventCount': rule('events it sent', AGENT),
  'agents[].sentCount': rule('requests that its events add up to', AGENT, { inputs: ['eventCount'] }),
  'agents[].lost.atSeconds': rule('when in the run it was lost', 'the coordinator', {
    inputs: ['lost.reason'],
  }),
};

/** The plan beyond its steps, and what a run was read from. */
const PLANNED: Readonly<Record<string, FieldRule>> = {
  'plan.steps[].writeRatio': rule('share of writes of the step', GIVEN),
  'plan.steps[].restSeconds': rule('time before the step in which nothing is sent', GIVEN),
  'plan.growth.precisionRatio': rule('how near the two loads of a search must come', GIVEN),
  'plan.growth.confidenceRatio': rule('how sure the verdict of a load must be', GIVEN),
  'plan.growth.longestRepeat': rule('how often a load is repeated at most', GIVEN),
  'plan.growth.highestLoad': rule('the highest load that the run may come to', GIVEN),
  'plan.growth.mostSteps': rule('most steps of the search', GIVEN),
  'plan.growth.errorLimitRatio': rule('share of failures from which the service counts as broken', GIVEN),
  'plan.growth.responseLimitSeconds': rule('p95 from which the service counts as broken', GIVEN),
  'plan.speedFactor': rule('how many times faster than the log', GIVEN),
  'plan.safety.maxUsers': rule('most users that the run may have', GIVEN),
  'plan.safety.maxRatePerSecond': rule('most requests a second that it may send', GIVEN),
  'plan.safety.stopOnErrors.ratio': rule('share of failures that ends the run', GIVEN, {
    inputs: ['stopOnErrors.seconds'],
  }),
  'plan.safety.stopOnErrors.seconds': rule('the time over which failures are counted', GIVEN),
  'plan.transport.streamsPerConnection': rule('most requests in flight on a connection (HTTP/2)', GIVEN),
  'plan.transport.requestsPerConnection': rule('requests that a connection carries', GIVEN),
  'plan.transport.maxRedirects': rule('most redirects followed for a request', GIVEN),
  'plan.transport.connectTimeoutSeconds': rule('how long a connection may take to stand', GIVEN),
  'plan.transport.firstByteTimeoutSeconds': rule('how long the first byte may take', GIVEN),
  'imported.lines.total': rule('lines of the imported file', 'the file'),
  'imported.lines.unread': rule('lines that could not be read', 'the file'),
  'imported.lines.examples[].line': rule('place of such a line', 'the file'),
};

const PARTS = 'the journeys of the scenario';

/** What the journeys of a scenario came to. */
const JOURNEYS: Readonly<Record<string, FieldRule>> = {
  'scenario.parts[].endedCount': rule('how often it was begun and came to an end', PARTS),
  'scenario.parts[].failedCount': rule('how often it threw', PARTS, { inputs: ['endedCount'] }),
  'scenario.parts[].failedCheckCount': rule('checks on its answers that failed', PARTS),
  'scenario.parts[].brokeOffAfter.*': rule('how often it threw after this request', PARTS),
  'scenario.parts[].p50Seconds': rule('median from its begin to its end, pauses included', PARTS),
  'scenario.parts[].p95Seconds': rule('p95 of the same', PARTS),
  'scenario.parts[].p99Seconds': rule('p99 of the same', PARTS),
  'scenario.checks[].passedCount': rule('answers that passed the check', PARTS),
  'scenario.checks[].failedCount': rule('answers that did not', PARTS),
};

export const CONTEXT_RULES: Readonly<Record<string, FieldRule>> = { ...OBSERVED, ...PLANNED, ...JOURNEYS };
