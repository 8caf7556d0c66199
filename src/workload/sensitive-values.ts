import { nameVerdict, wordsOfName } from './sensitive-names.ts';

const EMAIL = /^[^@\s/]+@[^@\s/]+\.[a-z]{2,}$/i;
const JSON_WEB_TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const PHONE = /^\+\d[\d ()./-]{6,16}\d$/;
const HARDWARE = /^[\da-f]{2}(?:([:-])[\da-f]{2})(?:\1[\da-f]{2}){4}$/i;
const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;
const IPV6 =
  /^(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?)$/i;
const CARD = /^\d{13,19}$/;
const SPACED_CARD = /^\d{4}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,4})?$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/i;
/** US social security numbers as they are written. */
const SSN = /^\d{3}-\d{2}-\d{4}$/;
/** `Basic …`, `Bearer …`, and what issuers of keys put before them so that scanners find them. */
const MARKED =
  /^(?:(?:basic|bearer)\s+[\w+/=.~-]{8,}|(?:sk|pk|rk)_(?:live|test)_\w{8,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z\d]{16}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|-----BEGIN .*)$/i;

/** Whether a value by itself is an address, a phone number, a card, an account, a signed token or a key with its issuer's mark. */
export function isSensitiveValue(value: string): boolean {
  if (value.length < 7) return false;
  return (
    EMAIL.test(value) ||
    JSON_WEB_TOKEN.test(value) ||
    PHONE.test(value) ||
    HARDWARE.test(value) ||
    IPV4.test(value) ||
    IPV6.test(value) ||
    SSN.test(value) ||
    MARKED.test(value) ||
    isCardNumber(value) ||
    isIban(value)
  );
}

/** A number of a payment card, its digits alone or in groups of four. */
export const isCardNumber = (value: string): boolean =>
  (CARD.test(value) && passesLuhn(value)) ||
  (SPACED_CARD.test(value) && passesLuhn(value.replace(/[ -]/g, '')));

/** The check digit of card numbers (ISO/IEC 7812-1, annex B). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The check digits of account numbers: the number, its first four characters last, is 1 modulo 97 (ISO 13616-1). */
export function isIban(value: string): boolean {
  const plain = value.replaceAll(' ', '').toUpperCase();
  if (!IBAN.test(plain)) return false;
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4))
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A run of letters and digits shorter than this may be an article number. */
const SHORTEST_RUN = 10;
const FEWEST_CHANGES = 3;
const SHORTEST_MIXED = 16;

/** Whether nobody would make up such a text: letters and digits, or small and large letters, take turns all along it. */
export function looksRandom(value: string): boolean {
  if (UUID.test(value)) return true;
  const runs = value.split(/[^A-Za-z\d]+/);
  const isMixed = (run: string): boolean => {
    const digits = changes(run, /\d/);
    return (
      (run.length >= SHORTEST_RUN && digits >= FEWEST_CHANGES) ||
      (run.length >= SHORTEST_MIXED && digits + changes(run.replace(/\d/g, ''), /[A-Z]/) >= run.length / 4)
    );
  };
  return runs.some(isMixed) || (value.length >= SHORTEST_MIXED && /^\d+$/.test(value));
}

/** How often characters that fit and such that do not follow each other. */
function changes(text: string, pattern: RegExp): number {
  let count = 0;
  for (let index = 1; index < text.length; index += 1)
    if (pattern.test(text[index]!) !== pattern.test(text[index - 1]!)) count += 1;
  return count;
}

/** A flag is no secret, whatever it is about: `password=1` says that there is one. */
const FLAG = /^(?:[01]|true|false|yes|no|on|off|null|none|undefined)?$/i;
/** Requests by which somebody signs in or is called back from where he did. */
const SIGN_IN =
  /oauth|openid|oidc|sso|saml|auth|callback|log-?in|sign-?in|verif|2fa|mfa|otp|reset|confirm|activat|client_id=/i;

/** An authorization response has both (RFC 6749, §4.1.2), and no address has so long a code. */
const CALLBACK = /^(?=.*[?&]state=)(?=.*[?&]code=[^&]{10,})/s;
const isSignIn = (target: string): boolean => SIGN_IN.test(target) || CALLBACK.test(target);

const digitsIn = (value: string): number => value.replace(/\D/g, '').length;
const isDigits = (value: string, least: number, most: number): boolean =>
  /^[\d .-]+$/.test(value) && digitsIn(value) >= least && digitsIn(value) <= most;

const isSessionId = (value: string): boolean => looksRandom(value) || (value.length >= 8 && /\d/.test(value));

/** Who somebody is: a number, or a word that no form of a program has (`user=all`, `login=true`). */
const isName = (value: string): boolean =>
  value.length > 1 &&
  !/^(?:all|any|me|self|new|admin|guest|anonymous|default|system|failed|ok|error|success|required)$/i.test(
    value,
  );
/** Two decimals tell a town, four a house. */
const isCoordinate = (value: string): boolean => /^-?\d{1,3}\.\d{3,}$/.test(value);

/** What the values of an ambiguous name must look like to be what the name may mean. */
const LOOKS: Readonly<Record<string, (value: string, target: string) => boolean>> = {
  code: (value, target) =>
    looksRandom(value) ||
    (isSignIn(target) && /^[\w./~+-]{4,}$/.test(value) && /\d|[A-Z].*[A-Z]/.test(value)),
  state: (value, target) => looksRandom(value) || (isSignIn(target) && value.length >= 6 && /\d/.test(value)),
  session: isSessionId,
  sess: isSessionId,
  sid: isSessionId,
  pin: (value) => isDigits(value, 3, 12) || looksRandom(value),
  tan: (value) => isDigits(value, 4, 10),
  card: (value) => isDigits(value, 12, 19) || looksRandom(value),
  cc: (value) => isDigits(value, 12, 19),
  pan: (value) => isDigits(value, 8, 19) || /^[A-Z]{5}\d{4}[A-Z]$/i.test(value),
  tin: (value) => isDigits(value, 7, 15),
  sin: (value) => isDigits(value, 7, 15),
  mobile: (value) => /^[+(]?\d[\d ()./-]{5,}$/.test(value),
  cell: (value) => /^[+(]?\d[\d ()./-]{5,}$/.test(value),
  mail: (value) => value.includes('@'),
  login: isName,
  user: isName,
  uid: isName,
  customer: isName,
  zip: (value) => isDigits(value, 3, 10) || /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i.test(value),
  vat: (value) => /^[A-Z]{2}[A-Z\d]{8,12}$/i.test(value) || isDigits(value, 7, 12),
  lat: isCoordinate,
  lon: isCoordinate,
  lng: isCoordinate,
  latitude: isCoordinate,
  longitude: isCoordinate,
  invite: isSessionId,
  magic: isSessionId,
  nonce: isSessionId,
  // A house number beside a word.
  address: (value) => /\d/.test(value) && /\p{L}{2,}[\s,]|[\s,]\p{L}{2,}/u.test(value),
};

/**
 * Whether a parameter holds a secret or says who somebody is: by its value alone, by its name, or, where the name is
 * an ordinary word too (`code`, `state`, `pin`), by the name and a value that fits it. `target` is where it was sent.
 */
export function isSensitive(name: string, value: string, target: string): boolean {
  if (FLAG.test(value)) return false;
  const verdict = nameVerdict(name);
  if (verdict === 'sensitive' || isSensitiveValue(value)) return true;
  if (verdict === undefined) return false;
  const looks = LOOKS[wordsOfName(name).at(-1)!] ?? looksRandom;
  return looks(value, target);
}
