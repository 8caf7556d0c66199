/**
 * Bins of a histogram as text: for each filled bin the step from the one before and the count, as LEB128 numbers of
 * seven bits a byte, in base64. A fine histogram of a thousand samples takes about 1.5 KB, a fifth of its JSON.
 */
export function packBins(bins: readonly number[]): string {
  const bytes: number[] = [];
  let before = 0;
  for (let i = 0; i < bins.length; i += 2) {
    pushNumber(bytes, bins[i]! - before);
    pushNumber(bytes, bins[i + 1]!);
    before = bins[i]!;
  }
  return Buffer.from(bytes).toString('base64');
}

/** Counts are whole and may exceed 32 bits: no shifts. */
function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

/** Throws a RangeError for text that `packBins` did not write. */
export function unpackBins(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  const bins: number[] = [];
  let at = 0;
  let bin = 0;
  const next = (): number => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined || factor > 2 ** 49) throw new RangeError('these are no packed bins');
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  while (at < bytes.length) {
    bin += next();
    bins.push(bin, next());
  }
  return bins;
}
