import { EXIT } from '../errors.ts';
import { RequestStream } from '../load/request-stream.ts';
import type { PlannedLoad } from '../load/plan-load.ts';
import type { LoadPlan, Step } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import { ownFrames } from '../session/own-stack.ts';
import { redactSent } from '../session/redact.ts';
import { createRandom, mixSeed } from '../stats/random.ts';
import type { CommandContext } from './command.ts';
import type { OptionValues } from './options/index.ts';
import { type GivenToRun, openInput } from './run-input.ts';
import { parseTargets } from './run-request.ts';

/** Requests shown of a mix, which has no end. */
const SHOWN_REQUESTS = 10;
const SHOWN_BODY_CHARACTERS = 200;

interface ShownRequest {
  readonly journey?: string;
  readonly method: string;
  readonly target: string;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly pauseSeconds?: number;
}

/** Prints what a run would do: its steps, and what its first user would send. Nothing is sent, no service is needed. */
export async function dryRun(
  input: string,
  asked: OptionValues,
  asking: GivenToRun,
  { terminal }: CommandContext,
): Promise<number> {
  const url = asked.url ?? new URL('http://127.0.0.1');
  const { load, scenario } = await openInput(input, parseTargets(asked), { ...asked, url }, asking);
  const requests: readonly ShownRequest[] = scenario?.open.rehearsal.requests ?? drawn(load.plan);
  const faults = scenario?.open.rehearsal.faults ?? [];
  const shown = requests.map(redactSent);
  terminal.print(
    asked.json === true
      ? `${JSON.stringify({ kind: 'dry-run', schemaVersion: 1, steps: load.plan.steps, notices: load.notices, requests: shown, faults }, null, 1)}\n`
      : dryRunText(load, shown),
  );
  for (const { journey, stack } of faults)
    terminal.say(
      `In this rehearsal ${journey} throws: ${[stack.split('\n', 1)[0]!, ...ownFrames(stack, 3).map((frame) => `    ${frame}`)].join('\n')}\n` +
        '  Answers are made up here; "example" on a request says what to answer.',
    );
  return EXIT.done;
}

/** What the first user of a mix draws. */
function drawn({ requests, seed }: LoadPlan): readonly ShownRequest[] {
  const stream = new RequestStream(requests);
  const random = createRandom(mixSeed(seed, 0));
  return Array.from({ length: SHOWN_REQUESTS }, () => {
    stream.draw(random);
    const { method, route, headers = {}, body } = requests[stream.requestIndex]!;
    return { method, target: stream.target, route, headers, ...(body !== undefined && { body }) };
  });
}

function dryRunText({ plan, notices }: PlannedLoad, requests: readonly ShownRequest[]): string {
  const lines = ['Steps', ...plan.steps.map(stepText), ...notices.map(noticeText), '', 'The first user'];
  let journey: string | undefined;
  for (const request of requests) {
    if (request.journey !== journey) lines.push(`  ${(journey = request.journey)}`);
    lines.push(...requestText(request));
  }
  return `${lines.join('\n')}\n`;
}

const stepText = ({ label, warmupSeconds, measureSeconds }: Step): string =>
  `  ${label}: ${rounded(measureSeconds)} s measured after ${rounded(warmupSeconds)} s of warm-up`;

const noticeText = ({ message, advice }: Notice): string =>
  `  ${message}${advice === undefined ? '' : ` ${advice}`}`;

const rounded = (value: number): string => String(Number(value.toFixed(2)));

function requestText({
  method,
  target,
  route,
  headers,
  body,
  pauseSeconds = 0,
}: ShownRequest): readonly string[] {
  const pause = pauseSeconds > 0 ? [`    … ${rounded(pauseSeconds)} s`] : [];
  const counted = target === route ? '' : `   (as ${route})`;
  const fields = Object.entries(headers).map(([name, value]) => `      ${name}: ${value}`);
  const content = body === undefined || body === '' ? [] : [`      ${shortened(body)}`];
  return [...pause, `    ${method} ${target}${counted}`, ...fields, ...content];
}

function shortened(body: string): string {
  const line = body.replaceAll(/[\r\n]+/g, ' ⏎ ');
  return line.length > SHOWN_BODY_CHARACTERS
    ? `${line.slice(0, SHOWN_BODY_CHARACTERS)} … (${body.length} characters)`
    : line;
}
