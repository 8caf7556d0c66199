import type { LoadPlan } from '../model/load.ts';

/** Headers whose values open doors. */
const SECRET_HEADER =
  /^(authorization|proxy-authorization|cookie|set-cookie)$|token|secret|api-?key|password/i;
const REDACTED = '(redacted)';

/** The command line without the values of secret headers and without the user part of urls. */
export function redactCommand(words: readonly string[]): readonly string[] {
  return words.map((word, i) => {
    const attached = /^(-H|--header=)(.+)$/s.exec(word);
    if (attached !== null) return `${attached[1]}${redactHeaderLine(attached[2]!)}`;
    const before = words[i - 1];
    if (before === '-H' || before === '--header') return redactHeaderLine(word);
    return word.replace(/^((?:--[a-z-]+=)?[a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${REDACTED}@`);
  });
}

/** The plan without the values of secret headers: what is stored is enough to see that they were sent. */
export function redactPlan(plan: LoadPlan): LoadPlan {
  const requests = plan.requests.map((request) => {
    if (request.headers === undefined) return request;
    const headers = Object.entries(request.headers).map(
      ([name, value]) => [name, SECRET_HEADER.test(name) ? REDACTED : value] as const,
    );
    return { ...request, headers: Object.fromEntries(headers) };
  });
  return { ...plan, requests };
}

function redactHeaderLine(line: string): string {
  const name = line.split(':', 1)[0]!;
  return SECRET_HEADER.test(name.trim()) ? `${name}: ${REDACTED}` : line;
}
