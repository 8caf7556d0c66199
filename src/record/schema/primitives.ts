import { z } from 'zod';

/** Any finite number. */
export const number = z.number();
/** Zero or more: seconds, rates, bytes. */
export const amount = z.number().min(0);
export const count = z.int().min(0);
/** A share of a whole. */
export const share = z.number().min(0).max(1);
export const text = z.string();
export const interval = z.tuple([number, number]).readonly();
export const byName = z.record(text, number);

export const notice = z.object({
  code: text,
  severity: z.enum(['info', 'warning', 'red-flag']),
  message: text,
  advice: text.exactOptional(),
  where: text.exactOptional(),
});
export const notices = z.array(notice);

export const distribution = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('constant'), meanSeconds: amount }),
  z.object({ kind: z.literal('uniform'), meanSeconds: amount, minSeconds: amount, maxSeconds: amount }),
  z.object({ kind: z.literal('exponential'), meanSeconds: amount }),
  z.object({ kind: z.literal('empirical'), meanSeconds: amount, quantileSeconds: z.array(amount).min(2) }),
]);

export const histogram = z.object({
  unitSeconds: amount,
  bits: count,
  totalCount: count,
  sumSeconds: amount,
  minSeconds: amount.exactOptional(),
  maxSeconds: amount.exactOptional(),
  bins: z.array(count),
});
