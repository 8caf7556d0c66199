import { ShiploadError } from '../errors.ts';
import type { ReportDocument } from '../model/documents.ts';
import type { Explanation } from '../model/explanation.ts';
import { explainAbsent } from './explain-absent.ts';
import { FIELD_RULES } from './explanations.ts';
import type { FieldRule } from './field-rule.ts';
import { findField } from './field-path.ts';
import type { FoundField } from './field-path.ts';
import { pathOfMetric } from './metric-path.ts';
import { isThinOf } from './step-columns.ts';

/**
 * Where a number of the report comes from: formula, inputs with their values, window, sample count and source; an
 * observed figure of a check is followed to the field of the step it was read from. The name that a comparison gives a
 * figure (`p95 /search at 200 users`) will do for a path. A knee, saturation or the like that this run does not have is
 * explained by the reason. Throws `option-invalid` for another field that is not there, or that is a group of fields.
 */
export function explainField(document: ReportDocument, path: string): Explanation {
  const place = pathOfMetric(document, path.trim());
  const absent = isThere(document, place) ? undefined : explainAbsent(document, place, FIELD_RULES);
  if (absent !== undefined) return absent;
  const found = findField(document, place);
  const rule = FIELD_RULES[found.generic] ?? FIELD_RULES[found.generic.replace(/\[\]$/, '')];
  if (rule === undefined) throw notExplained(found);
  const inputs = [...inputsOf(document, found, rule), ...observedIn(document, found)];
  const step = stepOf(document, found);
  const sampleCount = samplesOf(document, found, inputs);
  return {
    field: found.path,
    value: found.value as Explanation['value'],
    meaning: rule.meaning,
    ...(rule.formula === undefined ? {} : { formula: rule.formula }),
    inputs,
    ...(step?.windowSeconds === undefined ? {} : { windowSeconds: step.windowSeconds }),
    ...(sampleCount === undefined ? {} : { sampleCount }),
    ...(isThinPercentile(found, sampleCount) && { isDoubtful: true }),
    source: rule.source,
  };
}

/** A percentile that the step table marks with `?`. */
function isThinPercentile({ generic }: FoundField, sampleCount: number | undefined): boolean {
  const order = /^steps\[\]\.(?:overall|byRoute\.\*)\.p(\d+)Seconds$/.exec(generic)?.[1];
  if (order === undefined || sampleCount === undefined) return false;
  return isThinOf(sampleCount, Number(order));
}

function notExplained({ path, value }: FoundField): ShiploadError {
  const isGroup = typeof value === 'object' && value !== null;
  return new ShiploadError(
    'option-invalid',
    isGroup ? `${path} is a group of fields; name one` : textAsStored(path, value),
    {
      where: 'field',
      ...(isGroup && {
        hint: Array.isArray(value)
          ? `${path}[0] to ${path}[${value.length - 1}]`
          : Object.keys(value)
              .map((key) => `${path}.${key}`)
              .join(', '),
      }),
    },
  );
}

const textAsStored = (path: string, value: unknown): string =>
  typeof value === 'string'
    ? `${path} is no figure: it is text as stored`
    : `nothing is known of where ${path} comes from`;

/** Inputs stand beside the field, or beside a parent of it; those that are not there are left out. */
function inputsOf(
  document: ReportDocument,
  found: FoundField,
  { inputs = [] }: FieldRule,
): Explanation['inputs'] {
  const name = found.path.slice(found.scopes.at(-1)!.length + 1);
  return inputs.flatMap((input) => {
    const filled = input.replace('*', () => name);
    const places = input.startsWith('/')
      ? [filled.slice(1)]
      : found.scopes.toReversed().map((scope) => (scope === '' ? filled : `${scope}.${filled}`));
    const place = places.find((candidate) => read(document, candidate) !== undefined);
    return place === undefined ? [] : [{ field: place, value: read(document, place)! }];
  });
}

const isThere = (document: ReportDocument, path: string): boolean => read(document, path) !== undefined;

function read(document: ReportDocument, path: string): Explanation['value'] | undefined {
  try {
    return findField(document, path).value as Explanation['value'] | undefined;
  } catch {
    return undefined;
  }
}

/** The field of a step that a check read. */
function observedIn(document: ReportDocument, found: FoundField): Explanation['inputs'] {
  const match = /^verdict\.checks\[(\d+)\]\.observed$/.exec(found.path);
  const check = match === null ? undefined : document.verdict.checks[Number(match[1])];
  const place = document.steps.findIndex(({ index }) => index === check?.stepIndex);
  if (check === undefined || place < 0) return [];
  const { metric, route } = check.goal;
  const timing = route === undefined ? 'overall' : `byRoute.${route}`;
  const names: Readonly<Record<string, string>> = {
    throughput: route === undefined ? 'throughputPerSecond' : `${timing}.throughputPerSecond`,
    errors: 'errorCount',
    errorRatio: 'errorRatio',
    cpu: 'utilizationRatio.cpu',
  };
  const path = `steps[${place}].${names[metric] ?? `${timing}.${metric}Seconds`}`;
  const samples = `steps[${place}].${timing}.sampleCount`;
  return [path, ...(names[metric] === undefined ? [samples] : [])].flatMap((field) => {
    const value = read(document, field);
    return value === undefined ? [] : [{ field, value }];
  });
}

/** The step a field stands in, or was read from. */
function stepOf(document: ReportDocument, found: FoundField): ReportDocument['steps'][number] | undefined {
  const own = /^steps\[(\d+)\]/.exec(found.path);
  if (own !== null) return document.steps[Number(own[1])];
  const check = /^verdict\.checks\[(\d+)\]/.exec(found.path);
  const index = check === null ? undefined : document.verdict.checks[Number(check[1])]?.stepIndex;
  return document.steps.find((step) => step.index === index);
}

function samplesOf(
  document: ReportDocument,
  found: FoundField,
  inputs: Explanation['inputs'],
): number | undefined {
  const counted = inputs.find(({ field }) => /(sampleCount|completionCount)$/.test(field))?.value;
  if (typeof counted === 'number') return counted;
  if (!found.path.startsWith('knee.') && !found.path.startsWith('usl.')) return undefined;
  return document.steps.filter(({ valid }) => valid).length;
}
