import { hideSecrets, hideSecretsIn, REDACTED } from '../host/secret-values.ts';
import type { LoadPlan, PlannedRequest } from '../model/load.ts';
import { isSensitiveName } from '../workload/privacy.ts';

/** Headers that say what is asked for, not by whom. The value of any other may open a door. */
const HARMLESS_HEADERS = new Set(
  `accept accept-charset accept-encoding accept-language cache-control connection content-encoding content-language
   content-type dnt expect host if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive origin
   pragma prefer priority range te traceparent upgrade-insecure-requests user-agent`.split(/\s+/),
);

/** `scheme://user:password@`: the part before the host. */
const USER_PART = /\b([a-z][a-z0-9+.-]*:\/\/)[^/?#@\s'"]+@/gi;
/**
 * `name=value` of a query, a form, an environment or an option; a quoted value may hold spaces. Punctuation at the
 * end of a bare value is that of the text around it; within, it may be part of the secret.
 */
const ASSIGNMENT = /(?<![\w.-])([\w.[\]-]+)=(\(redacted\)|"[^"]*"|'[^']*'|[^&;\s'"#]*[^&;\s'"#,.:!?)\]}>])/g;
/** `--api-key value`, where the value is the next word. */
const OPTION =
  /(?<![\w-])(--?[a-z][\w-]*)(\s+)(\(redacted\)|"[^"]*"|'[^']*'|(?!-)[^\s'"]*[^\s'",.:!?)\]}>])/gi;
/** Our own, by names that sound otherwise: of cores, of files, of a pair of keys to be made, of a pause. */
const HARMLESS_OPTIONS = new Set(['--pin', '--creds', '--tls-key', '--make-key', '--session-timeout']);
/** A member of a JSON object, or of what a service prints in its manner. */
const MEMBER = /(["'])([\w.-]+)\1(\s*:\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w.+-]+)/g;
/** A header within other text, to the end of its line or its quotes. */
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie2?|x-[\w-]+)(\s*:\s*)[^\r\n'"]+/gi;
const CREDENTIALS =
  /\b([Bb]earer\s+)[\w.~+/=-]{3,}[\w~+/=-]|\b((?:[Bb]asic|[Dd]igest|[Nn]egotiate)\s+)(?=[a-z+/]*[A-Z\d=])[\w+/=]{8,}/g;
const JSON_WEB_TOKEN = /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]+)?/g;

/**
 * Any text without what opens doors: the user part of urls, values of parameters, options and members whose names tell
 * of a secret, credentials in headers, signed tokens, and values marked as secret. For command lines, and for what services print of themselves.
 */
export function redactText(text: string): string {
  const hide =
    (rest: (name: string) => boolean) =>
    (whole: string, name: string): string =>
      rest(name) ? `${name}=${REDACTED}` : whole;
  return hideSecrets(text)
    .replace(USER_PART, `$1${REDACTED}@`)
    .replace(MEMBER, (whole: string, quote: string, name: string, colon: string) =>
      isSecretMember(name) ? `${quote}${name}${quote}${colon}"${REDACTED}"` : whole,
    )
    .replace(HEADER, `$1$2${REDACTED}`)
    .replace(CREDENTIALS, `$1$2${REDACTED}`)
    .replace(JSON_WEB_TOKEN, REDACTED)
    .replace(
      ASSIGNMENT,
      hide((name) => !HARMLESS_OPTIONS.has(name) && isSensitiveName(name)),
    )
    .replace(OPTION, (whole: string, name: string, space: string) =>
      !HARMLESS_OPTIONS.has(name) && isSensitiveName(name.replace(/^-+/, ''))
        ? `${name}${space}${REDACTED}`
        : whole,
    );
}

/** Headers that a service prints as an object are members too. */
const isSecretMember = (name: string): boolean =>
  isSensitiveName(name) || /^(?:(?:set-)?cookie2?$|x-)/i.test(name);

/** The command line without secrets: enough to see what was sent, not to send it as somebody else. */
export function redactCommand(words: readonly string[]): readonly string[] {
  return words.map((word, i) => {
    const attached = /^(-H|--header=)(.+)$/s.exec(word);
    if (attached !== null) return `${attached[1]}${redactHeaderLine(attached[2]!)}`;
    const before = words[i - 1];
    if (before === '-H' || before === '--header') return redactHeaderLine(word);
    return redactText(word);
  });
}

/** The plan without secrets in headers, bodies and queries; what was sent is not changed by it. */
export function redactPlan(plan: LoadPlan): LoadPlan {
  return hideSecretsIn({ ...plan, requests: plan.requests.map(redactRequest) });
}

function redactRequest(request: PlannedRequest): PlannedRequest {
  const { headers, body, targets } = request;
  return {
    ...request,
    targets: { ...targets, targets: targets.targets.map(redactTarget) },
    ...(headers !== undefined && { headers: redactHeaders(headers) }),
    ...(body !== undefined && { body: redactText(body) }),
  };
}

/** Headers by name; the value of any that is not known to be harmless is hidden. */
export const redactHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isHarmless(name) ? value : REDACTED]),
  );

/** A request that is shown, without secrets in its headers, query and body. */
export function redactSent<
  Sent extends {
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
>(sent: Sent): Sent {
  return hideSecretsIn({
    ...sent,
    target: redactTarget(sent.target),
    headers: redactHeaders(sent.headers),
    ...(sent.body !== undefined && { body: redactText(sent.body) }),
  });
}

/** Most targets have no query, and no secret is looked for in a path: the model of a log replaced those. */
const redactTarget = (target: string): string => (target.includes('?') ? redactText(target) : target);

const isHarmless = (header: string): boolean => HARMLESS_HEADERS.has(header.trim().toLowerCase());

function redactHeaderLine(line: string): string {
  const name = line.split(':', 1)[0]!;
  return isHarmless(name) ? redactText(line) : `${name}: ${REDACTED}`;
}
