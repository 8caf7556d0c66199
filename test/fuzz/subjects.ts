import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readLog } from '../../src/access-log/read-log.ts';
import { importTable } from '../../src/analysis/import-table.ts';
import { planFileFor } from '../../src/cli/plan-file-text.ts';
import {
  parseDuration,
  parseErrorStop,
  parseHeader,
  parseLoads,
  parseThinkTime,
  parseUrl,
} from '../../src/cli/parse-values.ts';
import { PLAN_SECTIONS } from '../../src/cli/plan-file-input.ts';
import { measurementsFromFrames } from '../../src/drive/recover.ts';
import { ShiploadError } from '../../src/errors.ts';
import { parseSegments } from '../../src/host/segments.ts';
import { LOAD_SOURCES, loadSourceOf } from '../../src/import/loads/index.ts';
import { scenarioText } from '../../src/import/loads/scenario-text.ts';
import { RequestStream } from '../../src/load/request-stream.ts';
import { concludeRun } from '../../src/pipeline.ts';
import { asciiBytes } from '../../src/protocols/http1/bytes.ts';
import { KnownHead, ReadBuffer } from '../../src/protocols/http1/known-head.ts';
import { ResponseScanner } from '../../src/protocols/http1/scanner.ts';
import { readPlanFile } from '../../src/plan-file/read-plan-file.ts';
import { parseRunManifest, parseRunRecord, parseSegment, parseWorkload } from '../../src/record/validate.ts';
import { REPORTERS } from '../../src/report/index.ts';
import { importResults } from '../../src/session/import-results.ts';
import { importedRecord } from '../../src/session/imported-run.ts';
import { redactText } from '../../src/session/redact.ts';
import { createRandom, type Random } from '../../src/stats/random.ts';
import { parseTarget } from '../../src/verdict/parse-target.ts';
import { parseRoutes } from '../../src/workload/routes-file.ts';
import { assertOnlyWords } from '../support/generated-scenario.ts';
import { ANSWER_CASES } from '../support/http1-answers.ts';
import { logText } from '../support/log-source.ts';
import { resultText } from '../support/import-results.ts';
import { fixture, ROOT } from '../support/paths.ts';
import { sampleRecord, sampleWorkload } from '../support/sample-record.ts';
import { closedStep, request, simulatePlan } from '../support/simulate.ts';
import { mutate, mutateData } from './mutate.ts';

/** Something that takes foreign input: it may refuse it with an error of ours, and may do nothing else wrong. */
export interface Subject {
  readonly name: string;
  /** Well-formed inputs to start from; the files of `test/corpus/NAME` are added. */
  readonly samples: readonly Buffer[];
  /** Missing: bytes are changed anywhere. */
  readonly change?: (random: Random, samples: readonly Buffer[]) => Buffer;
  /** Throws a fault that is no refusal. */
  run(input: Buffer): Promise<void> | void;
}

/** Runs `work`; errors of ours are refusals and fine. */
async function refusing(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ShiploadError)) throw error;
  }
}

const LOGS = join(fixture('logs'), 'gen');
const logSamples = readdirSync(LOGS)
  .filter((name) => name !== 'wall-clock.txt')
  .map((name) => readFileSync(join(LOGS, name)).subarray(0, 3000));

/** The first lines of a sample: what is changed lies then where it is read. */
const cutLines = (bytes: Buffer): Buffer =>
  bytes.length < 12_000 ? bytes : bytes.subarray(0, bytes.indexOf(10, 4000) + 1);

const buffer = new ReadBuffer(128 * 1024);

function scan(bytes: Uint8Array, cut: number): string {
  const scanner = new ResponseScanner();
  scanner.begin(new KnownHead(true));
  let from = 0;
  for (const to of [cut, bytes.length]) {
    buffer.bytes.set(bytes.subarray(from, to));
    if (to > from && scanner.read(buffer, to - from)) break;
    from = to;
  }
  if (scanner.fault !== '') return 'fault';
  if (!scanner.complete && !scanner.end()) return 'cut short';
  return `${scanner.status} ${scanner.bodyBytes} ${scanner.keepAlive}`;
}

/** Whole or in two reads, an answer reads the same, unless surplus bytes follow it in the same read. */
function scanBothWays(input: Buffer): void {
  const cut = (input[0] ?? 0) % Math.max(1, input.length);
  const [whole, split] = [scan(input, 0), scan(input, cut)];
  if (whole !== split && whole !== 'fault' && split !== 'fault')
    throw new Error(`${whole} as a whole, ${split} cut at ${cut}`);
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const changeData = (random: Random, samples: readonly Buffer[]): Buffer =>
  json(mutateData(random, JSON.parse(samples[Math.floor(random.next() * samples.length)]!.toString())));

const PLAN = {
  seed: 1,
  shape: 'steps',
  requests: [request('/a', 1)],
  requestTimeoutSeconds: 30,
  steps: [closedStep(0, 2, 1, 3)],
};
const SECONDS = simulatePlan(PLAN, {
  stations: [{ name: 'cpu', serverCount: 1 }],
  visits: { 'GET /a': [{ station: 'cpu', service: { kind: 'constant', meanSeconds: 0.1 } }] },
}).events.flatMap((event) => (event.kind === 'frame' ? [{ frame: event.frame, sample: event.sample }] : []));

const IMPORTS = ['shop.har', 'api.yaml', 'api.json', 'load-test.js', 'calls.sh', 'urls.txt'].map((name) =>
  readFileSync(join(ROOT, 'test', 'fixtures', 'imports', name)),
);

/** Whatever kind a text is taken for: what comes of it is sound, runs no code of its own, and can be drawn from. */
async function importAll(text: string): Promise<void> {
  loadSourceOf(text, 'file.js');
  for (const source of LOAD_SOURCES)
    await refusing(() => {
      const imported = source.read(text, 'file', {});
      if ('journeys' in imported) assertOnlyWords(scenarioText(imported, 'file'));
      else new RequestStream(imported.requests).draw(createRandom(1));
    });
}

const PLAN_FILES = [
  planFileFor({ kind: 'url', url: new URL('http://127.0.0.1:8080/books') }),
  planFileFor({ kind: 'mix', path: 'urls.txt', routes: ['/books/[id]', '/search'] }),
  `targets: [errors = 0, 'p95 of /x <= 100 ms at 20 users']
service: {url: 'http://127.0.0.1:8080', start: node server.js, ready: /health, ready-timeout: 30s, insecure: true}
workload: {from: access.log, window: 'busiest:15m', session-timeout: 30m, method: POST, data: '@body.json'}
load: {users: [1, 25, 50], step: 60s, warmup: 20s, think: 1s..3s, repeat: 5, extend: true}
counters: {port: 8080, cores: 2, metrics: /metrics, stats: /stats}
request: {header: ['Accept: text/html', !secret 'X-Api-Key: abcdef'], timeout: 30s, http: 2, follow: 3}
judging: {margin: 10%, smoke: false, confirm: 60s, prediction: 'knee = 40'}
recording: {label: before, samples: true, seed: 7, secret: [abcdef]}
safety: {max-users: 100, max-rate: 50, stop-on-errors: 30%:5s}
`,
];

const PARSERS: readonly ((text: string) => unknown)[] = [
  parseTarget,
  redactText,
  (text) => parseDuration('-z', text),
  (text) => parseLoads('-c', text),
  (text) => parseThinkTime('--think', text),
  (text) => parseHeader('-H', text),
  (text) => parseUrl('--url', text),
  (text) => parseErrorStop('--stop-on-errors', text),
  (text) => parseRoutes(text),
];

const SUBJECTS_WITHOUT_CORPUS: readonly Subject[] = [
  {
    name: 'log',
    samples: [...logSamples, gzipSync(logSamples[0]!)],
    run: (input) => refusing(() => readLog([logText(input, 1000)])),
  },
  {
    name: 'answer',
    samples: ANSWER_CASES.filter(({ answer }) => answer.length < 2000).map(({ answer }) =>
      Buffer.from(asciiBytes(answer)),
    ),
    run: scanBothWays,
  },
  {
    name: 'table',
    samples: [
      'users,throughput,p95 ms,errors\n1,10,3,0\n2,20,3,0\n4,38,4,1\n8,60,9,2\n',
      'N;X/s;R (s)\n1;9,8;0,1\n2;19,5;0,1\n',
      'concurrency\tqps\tp50\tp99\n1\t100\t9\t12\n10\t900\t11\t30\n',
    ].map((text) => Buffer.from(text)),
    run: (input) => refusing(() => importTable(input.toString('utf8'), { file: 'table.csv' })),
  },
  {
    name: 'results',
    samples: readdirSync(fixture('import')).map((name) => cutLines(readFileSync(fixture('import', name)))),
    change: (random, samples) => {
      const documents = samples.filter((sample) => sample[0] === 0x7b && sample.at(-2) === 0x7d);
      const document = documents[Math.floor(random.next() * documents.length)]!.toString();
      const isOne = random.next() < 0.5 && !document.trim().includes('}\n{');
      return isOne ? json(mutateData(random, JSON.parse(document))) : mutate(random, samples);
    },
    run: (input) =>
      refusing(async () => {
        const record = importedRecord(await importResults(resultText(input, 1000)));
        parseRunRecord(JSON.parse(JSON.stringify(record)), 'record.json');
        for (const reporter of REPORTERS) reporter.render(record);
      }),
  },
  {
    name: 'record',
    samples: [json(sampleRecord())],
    change: changeData,
    run: (input) =>
      refusing(() => {
        const record = concludeRun(parseRunRecord(JSON.parse(input.toString()), 'record.json'));
        for (const reporter of REPORTERS) reporter.render(record);
      }),
  },
  {
    name: 'workload',
    samples: [json(sampleWorkload())],
    change: changeData,
    run: (input) => refusing(() => parseWorkload(JSON.parse(input.toString()), 'workload.json')),
  },
  {
    name: 'segments',
    samples: [json({ manifest: { ...sampleRecord().manifest, plan: PLAN }, seconds: SECONDS })],
    change: changeData,
    run: (input) =>
      refusing(() => {
        const { manifest, seconds = [] } = JSON.parse(input.toString()) as {
          manifest: unknown;
          seconds?: unknown[];
        };
        const { plan } = parseRunManifest(manifest, 'run.json');
        const lines = Array.isArray(seconds) ? seconds.map((second) => JSON.stringify(second)) : [];
        const segments = parseSegments(lines.join('\n'), 'segments.jsonl').map((segment) =>
          parseSegment(segment, plan.requests.length, 'segments.jsonl'),
        );
        measurementsFromFrames(plan, segments, 'interrupted');
      }),
  },
  {
    name: 'options',
    samples: [
      'p95 of /search <= 200 ms at 200 users',
      'errors = 0',
      '1s..3s',
      '1,25,50',
      'K: v',
      'http://[::1]:80/',
      '50%:10s',
      '/books/[id]\n/x',
    ].map((text) => Buffer.from(text)),
    run: async (input) => {
      for (const parse of PARSERS) await refusing(() => parse(input.toString('utf8')));
    },
  },
  {
    name: 'plan',
    samples: PLAN_FILES.map((text) => Buffer.from(text)),
    run: (input) =>
      refusing(() => readPlanFile(input.toString('utf8'), 'shipload.yaml', PLAN_SECTIONS, (text) => text)),
  },
  {
    name: 'import',
    samples: IMPORTS,
    run: (input) => importAll(input.toString('utf8')),
  },
  {
    name: 'import-data',
    samples: IMPORTS.filter((sample) => sample.toString().startsWith('{')),
    change: changeData,
    run: (input) => importAll(input.toString('utf8')),
  },
];

/** Every subject, its corpus added. */
export const SUBJECTS: readonly Subject[] = SUBJECTS_WITHOUT_CORPUS.map((subject) => {
  const folder = join(ROOT, 'test', 'corpus', subject.name);
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  return { ...subject, samples: [...subject.samples, ...kept] };
});

/** The next input of a subject. */
export const nextInput = (subject: Subject, random: Random): Buffer =>
  (subject.change ?? mutate)(random, subject.samples);
