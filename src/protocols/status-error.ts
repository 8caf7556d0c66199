const STATUS_ERROR_CODES = Array.from({ length: 600 }, (_, i) => `http-${i + 400}`);

/** `http-503` and the like, made once so that a storm of errors costs no more than answers do. */
export const statusErrorCode = (status: number): string => STATUS_ERROR_CODES[status - 400]!;
