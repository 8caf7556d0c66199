import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, ShiploadError } from '../../errors.ts';
import { influxLines } from '../../export/influx-lines.ts';
import type { MetricSnapshot } from '../../export/metric.ts';
import { parquetOfRequests } from '../../export/parquet.ts';
import { exportPng } from '../../export/png.ts';
import { prometheusText } from '../../export/prometheus-text.ts';
import { push } from '../../export/push.ts';
import { snapshotsOf } from '../../export/stored-snapshots.ts';
import { parseExportTarget } from '../../export/targets.ts';
import { makeFolder } from '../../host/make-folder.ts';
import { RUN_FILES } from '../../host/run-folder.ts';
import { readSegments } from '../../host/segments.ts';
import { writeError } from '../../host/write-file.ts';
import { chartsOfRun, svgFile } from '../../report/charts/svg-file.ts';
import { counted } from '../../report/quantities.ts';
import { baselineText, readSide } from '../../session/baseline.ts';
import { readManifest, readRun } from '../../session/stored-run.ts';
import type { Command, CommandContext } from '../command.ts';
import type { OptionValues } from '../options/index.ts';
import { writeOutput } from '../write-output.ts';

type Export = (path: string, options: OptionValues, context: CommandContext) => Promise<void>;

/** Forms that are written; those with `=URL` are sent. */
const FORMS: Readonly<Record<string, Export>> = {
  svg: async (path, options, context) => writeCharts(path, options, context, 'svg', async (svg) => svg),
  png: async (path, options, context) => writeCharts(path, options, context, 'png', exportPng),
  prometheus: async (path, { out }, { terminal }) => {
    const last = (await storedSnapshots(path)).at(-1)!;
    await writeOutput(prometheusText(last), out, terminal);
  },
  influx: async (path, { out }, { terminal }) => {
    const lines = (await storedSnapshots(path)).map(influxLines).join('');
    await writeOutput(lines, out, terminal);
  },
  parquet: async (path, { out = join(path, 'requests.parquet') }, { terminal }) => {
    const content = await parquetOfRequests(join(path, RUN_FILES.requests));
    await writeFile(out, content).catch((cause: unknown) => {
      throw writeError(out, cause);
    });
    terminal.say(`Written to ${out}`);
  },
  baseline: async (path, { out }, { terminal }) =>
    writeOutput(baselineText(await readSide(path)), out, terminal),
};

export const exportRun: Command = {
  name: 'export',
  usage: '<run>',
  summary: `a stored run for other tools: ${Object.keys(FORMS).join(', ')}; or sent, second by second, to otlp=URL, influx=URL, remote-write=URL`,
  options: ['to', 'out'],
  example: 'shipload export runs/before --to influx=http://127.0.0.1:8086/write?db=load',
  async run([path], options, context) {
    const { to } = options;
    if (to === undefined) throw unknownForm('nothing');
    const form = Object.hasOwn(FORMS, to) ? FORMS[to] : undefined;
    if (form !== undefined) await form(path!, options, context);
    else if (to.includes('=')) await send(path!, to, context);
    else throw unknownForm(`"${to}"`);
    return EXIT.done;
  },
};

const unknownForm = (what: string): ShiploadError =>
  new ShiploadError('option-invalid', `${what} is no form of an export`, {
    where: '--to',
    hint: `Forms: ${Object.keys(FORMS).join(', ')}, otlp=URL, influx=URL, remote-write=URL`,
  });

/** Every stored second at its own time. Throws `export-failed` at the first that is not taken. */
async function send(path: string, to: string, { terminal }: CommandContext): Promise<void> {
  const target = parseExportTarget(to);
  if (target.kind !== 'push') throw unknownForm(`"${to}"`);
  const snapshots = await storedSnapshots(path);
  for (const snapshot of snapshots) {
    await push(target, snapshot).catch((cause: unknown) => {
      throw new ShiploadError('export-failed', (cause as Error).message, { where: '--to', cause });
    });
  }
  terminal.say(`${counted(snapshots.length, 'interval')} of the run sent to ${target.url.origin}`);
}

async function storedSnapshots(path: string): Promise<readonly MetricSnapshot[]> {
  const manifest = await readManifest(path);
  return snapshotsOf(manifest, await readSegments(join(path, RUN_FILES.segments)));
}

async function writeCharts(
  path: string,
  { out = join(path, 'charts') }: OptionValues,
  { terminal }: CommandContext,
  extension: string,
  convert: (svg: string) => Promise<string | Uint8Array>,
): Promise<void> {
  const charts = chartsOfRun(await readRun(path));
  const files = await Promise.all(
    charts.map(async (chart) => [chart.id, await convert(svgFile(chart))] as const),
  );
  try {
    await makeFolder(out);
    for (const [id, content] of files) await writeFile(join(out, `${id}.${extension}`), content);
  } catch (cause) {
    throw writeError(out, cause);
  }
  terminal.say(`${counted(files.length, 'chart')} written to ${out}/`);
}
