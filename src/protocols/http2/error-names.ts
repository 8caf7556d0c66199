/** RFC 9113 §7, by number. */
const NAMES = [
  'no-error',
  'protocol-error',
  'internal-error',
  'flow-control-error',
  'settings-timeout',
  'stream-closed',
  'frame-size-error',
  'refused-stream',
  'cancel',
  'compression-error',
  'connect-error',
  'enhance-your-calm',
  'inadequate-security',
  'http-1-1-required',
];

export const NO_ERROR = 0;
export const REFUSED_STREAM = 7;
export const CANCEL = 8;

/** `http2-refused-stream` and the like; `http2-error-99` for a number that RFC 9113 does not name. */
export const errorNameOf = (code: number): string => `http2-${NAMES[code] ?? `error-${code}`}`;
