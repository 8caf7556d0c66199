/** What a command's exit code says; the table of the command line's contract. */
export const EXIT = {
  done: 0,
  targetMissed: 1,
  badInput: 2,
  invalidRun: 3,
  couldNotStart: 4,
  internalFault: 70,
  interrupted: 130,
  terminated: 143,
} as const;

/**
 * Every error a user can cause or meet. The list is the whole list: docs/errors.md is compared with it by
 * a test. Exit codes follow from the code.
 */
export const ERROR_CODES = {
  usage: EXIT.badInput,
  'file-not-found': EXIT.badInput,
  'file-unreadable': EXIT.badInput,
  'log-empty': EXIT.badInput,
  'log-binary': EXIT.badInput,
  'log-format-unknown': EXIT.badInput,
  'log-without-time': EXIT.badInput,
  'log-window-empty': EXIT.badInput,
  'workload-invalid': EXIT.badInput,
  'routes-invalid': EXIT.badInput,
  'workload-nothing-to-send': EXIT.badInput,
  'scenario-invalid': EXIT.badInput,
  'plan-file-invalid': EXIT.badInput,
  'feed-invalid': EXIT.badInput,
  'import-invalid': EXIT.badInput,
  'table-invalid': EXIT.badInput,
  'results-invalid': EXIT.badInput,
  'record-invalid': EXIT.badInput,
  'target-unparsable': EXIT.badInput,
  'target-unknown-route': EXIT.badInput,
  'option-invalid': EXIT.badInput,
  'url-invalid': EXIT.badInput,
  'url-not-yours': EXIT.badInput,
  'permissions-invalid': EXIT.badInput,
  'container-not-found': EXIT.badInput,
  'process-not-found': EXIT.badInput,
  'metrics-unreadable': EXIT.badInput,
  'run-invalid': EXIT.invalidRun,
  'service-gone': EXIT.invalidRun,
  'too-many-errors': EXIT.invalidRun,
  'agent-lost': EXIT.invalidRun,
  'agents-not-ready': EXIT.couldNotStart,
  'broker-unreachable': EXIT.couldNotStart,
  'service-unreachable': EXIT.couldNotStart,
  'service-never-ready': EXIT.couldNotStart,
  'service-start-failed': EXIT.couldNotStart,
  'port-in-use': EXIT.couldNotStart,
  'cannot-write': EXIT.couldNotStart,
  'export-failed': EXIT.couldNotStart,
  'run-folder-in-use': EXIT.couldNotStart,
  'optional-package-missing': EXIT.couldNotStart,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** What was seen, where, and what to do. The CLI prints it and exits with the code's exit code. */
export class ShiploadError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  /** `file:line:column`, a field, an option. */
  readonly where: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { hint?: string; where?: string; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'ShiploadError';
    this.code = code;
    this.hint = more.hint;
    this.where = more.where;
  }

  get exitCode(): number {
    return ERROR_CODES[this.code];
  }
}

/**
 * What is wrong in a scenario whatever a service answers (an option that there is none of, a variable that is not set):
 * refused before the load also where it shows in the middle of a journey.
 */
export class ScenarioFault extends ShiploadError {
  constructor(message: string, more: { hint?: string; where?: string } = {}) {
    super('scenario-invalid', message, more);
  }
}
