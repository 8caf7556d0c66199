/** A map from data to a coordinate, with the values to label. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Round steps of 1, 2 or 5 times a power of ten: at most `most` ticks from 0 to beyond `max`. */
export function roundTicks(max: number, most: number): readonly number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / (most - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 5, 10].map((factor) => factor * power).find((s) => s >= rough * (1 - 1e-9)) ?? 10 * power;
  const count = Math.ceil(max / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** From 0 to the tick at or above `max`. */
export function linearScale(max: number, [from, to]: readonly [number, number], most = 6): Scale {
  const ticks = roundTicks(max, most);
  const top = ticks.at(-1)!;
  return { ticks, at: (value) => from + ((to - from) * value) / top };
}

/** From the smallest to the largest of some positive values, equal ratios equally far; the values are the ticks. */
export function logScale(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const ticks = [...new Set(values)].sort((a, b) => a - b);
  const low = Math.log(ticks[0]!);
  const span = Math.log(ticks.at(-1)!) - low || 1;
  return { ticks, at: (value) => from + ((to - from) * (Math.log(value) - low)) / span };
}

/** A ladder whose steps grow by 1.8 times or more (1, 2, 4, 8 …) reads better on a logarithmic axis. */
export function isGeometric(values: readonly number[]): boolean {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  if (sorted.length < 4 || sorted[0]! <= 0) return false;
  const ratios = sorted.slice(1).map((value, i) => value / sorted[i]!);
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]! >= 1.8;
}
