import type { Notice } from '../model/notice.ts';

/** A notice with its advice, where there is any. */
export const notice = (
  code: string,
  severity: Notice['severity'],
  message: string,
  advice?: string,
): Notice => ({
  code,
  severity,
  message,
  ...(advice === undefined ? {} : { advice }),
});
