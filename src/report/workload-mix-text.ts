import type { ParameterPopularity, RequestClass } from '../model/workload.ts';
import * as q from './quantities.ts';
import { hanging, table } from './text-layout.ts';
import type { Paint } from './text-layout.ts';

/** Routes beyond these are summed up: a reader looks for the large ones, and all are in the workload. */
const MOST_ROUTES = 40;
const MOST_PARAMETERS = 40;
const FEWEST_ROUTE_COLUMNS = 24;

/** The routes by their share. */
export function mixTable(classes: readonly RequestClass[], width: number, paint: Paint): readonly string[] {
  const shown = classes.slice(0, MOST_ROUTES);
  const durations = shown.some(({ responseTimeSeconds }) => responseTimeSeconds !== undefined)
    ? [
        { heading: 'R mean', cells: shown.map((one) => q.duration(one.responseTimeSeconds?.mean)) },
        { heading: 'R p95', cells: shown.map((one) => q.duration(one.responseTimeSeconds?.p95)) },
      ]
    : [];
  const figures = [
    { heading: 'share', cells: shown.map((one) => q.percent(one.shareRatio)) },
    { heading: 'requests', cells: shown.map((one) => q.count(one.requestCount)) },
    ...durations,
  ];
  const used = figures.reduce((sum, { heading, cells }) => sum + columnsOf([heading, ...cells]) + 2, 2);
  const room = Math.max(FEWEST_ROUTE_COLUMNS, width - used);
  const ids = {
    heading: 'request',
    cells: shown.map(({ id }) => shortened(id, room)),
    align: 'left' as const,
  };
  return [
    ...table([...figures, ids], width - 2, paint).map((line) => `  ${line}`),
    ...restLines(classes.slice(MOST_ROUTES), width),
  ];
}

function restLines(rest: readonly RequestClass[], width: number): readonly string[] {
  if (rest.length === 0) return [];
  const share = rest.reduce((sum, { shareRatio }) => sum + shareRatio, 0);
  const text = `and ${q.counted(rest.length, 'route')} more with ${q.percent(share)} of the requests; --json has them all`;
  return hanging('  ', text, width);
}

const columnsOf = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, q.displayWidth(text)), 0);

/** A text of at most so many characters: of a longer one the middle is left out. */
function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return [...characters.slice(0, head), '…', ...characters.slice(head + 1 - most)].join('');
}

/** Words that no line would hold, cut into pieces that fill one. */
export function withoutLongWords(text: string, most: number): string {
  const piece = new RegExp(`.{1,${most}}`, 'gu');
  return text
    .split(' ')
    .flatMap((word) => word.match(piece) ?? [''])
    .join(' ');
}

/** How the values of each parameter are asked for. */
export function parameterLines(classes: readonly RequestClass[], width: number): readonly string[] {
  const texts = classes.flatMap(({ id, parameters }) =>
    parameters.map((parameter) => `${id}, ${parameterText(parameter)}`),
  );
  const rest = texts.length - MOST_PARAMETERS;
  const shown = texts.slice(0, MOST_PARAMETERS);
  if (rest > 0) shown.push(`and ${q.counted(rest, 'parameter')} more; --json has them all`);
  return shown.flatMap((text) => hanging('  ', withoutLongWords(text, width - 2), width));
}

const TOP_SHOWN = 5;

function parameterText(parameter: ParameterPopularity): string {
  const { name, distinctCount, unseenCount, requestCount, top } = parameter;
  const unseen = unseenCount === undefined ? '' : ` and ${q.count(unseenCount)} or more not seen`;
  const values = top
    .slice(0, TOP_SHOWN)
    .map(({ value, count }) => `${value} ${q.percent(requestCount > 0 ? count / requestCount : undefined)}`);
  return `${name}: ${q.counted(distinctCount, 'value')}${unseen}, ${popularityText(parameter)}; most often ${values.join(', ')}`;
}

function popularityText({ kind, zipfExponent }: ParameterPopularity): string {
  const words = {
    uniform: 'uniform',
    zipf: `by 1/rank^${q.figure(zipfExponent)}`,
    'too-few-repeats': 'too few repeats to tell',
    constant: 'constant',
  };
  return words[kind];
}
