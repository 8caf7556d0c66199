import type { ResultFormat, ResultHead } from './result-format.ts';

/** A format and what the file was known by. */
export interface Detected {
  readonly format: ResultFormat;
  readonly detectedBy: string;
}

/** The formats that a name means: itself, or all of a tool (`k6`, `vegeta`, `jtl`). Empty: there is no such name. */
export function formatsNamed(formats: readonly ResultFormat[], name: string): readonly ResultFormat[] {
  const wanted = name.toLowerCase();
  const exact = formats.filter((format) => format.name === wanted);
  if (exact.length > 0) return exact;
  return formats.filter(
    ({ name: own, tool }) => tool.toLowerCase() === wanted || own.startsWith(`${wanted}-`),
  );
}

/** The first of the formats that knows the file. */
export function detectFormat(formats: readonly ResultFormat[], head: ResultHead): Detected | undefined {
  for (const format of formats) {
    const detectedBy = format.detect(head);
    if (detectedBy !== undefined) return { format, detectedBy };
  }
  return undefined;
}
