import { FIXED_HEADERS } from '../scenario/compose-request.ts';
import { CookieJar } from '../scenario/cookie-jar.ts';
import type { KeptAnswer } from '../protocols/protocol.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * The header fields of one user's requests: those of the run, its credentials and cookies, those of the request. The
 * same object stands for the same fields as long as nothing changes, so that they need not be laid out anew.
 */
export class UserFields {
  readonly #runHeaders: Headers;
  readonly #runCookies: string;
  readonly #epochSeconds: () => number;
  /** Most users never get a cookie. */
  #jar: CookieJar | undefined;
  #authorization: string | undefined;
  #cookie: string | undefined;
  readonly #merged = new Map<Headers, Headers>();

  constructor(runHeaders: Headers, epochSeconds: () => number) {
    const isCookie = (name: string): boolean => name.toLowerCase() === 'cookie';
    // Sent beside those that answers set, and not at all where it is empty.
    this.#runCookies = Object.entries(runHeaders).find(([name]) => isCookie(name))?.[1] ?? '';
    this.#runHeaders = Object.fromEntries(Object.entries(runHeaders).filter(([name]) => !isCookie(name)));
    this.#epochSeconds = epochSeconds;
  }

  authorize(value: string): void {
    this.#authorization = value;
    this.#merged.clear();
  }

  /** For a request to `target` with `own` fields. */
  of(own: Headers, target: string): Headers {
    const cookie = this.#withRunCookies(this.#jar?.header(target, this.#epochSeconds()));
    if (cookie !== this.#cookie) {
      this.#cookie = cookie;
      this.#merged.clear();
    }
    const known = this.#merged.get(own);
    if (known !== undefined) return known;
    const merged = {
      ...this.#runHeaders,
      ...(this.#authorization !== undefined && { Authorization: this.#authorization }),
      ...(cookie !== undefined && { Cookie: cookie }),
      ...own,
    };
    // Those that a journey gives may be other ones next time, in the same object.
    if (FIXED_HEADERS.has(own)) this.#merged.set(own, merged);
    return merged;
  }

  /** Those that answers have set stand before those that every request brings. */
  #withRunCookies(cookie: string | undefined): string | undefined {
    if (this.#runCookies === '') return cookie;
    return cookie === undefined ? this.#runCookies : `${cookie}; ${this.#runCookies}`;
  }

  /** Keeps the cookies that an answer to `target` sets. */
  take(answer: KeptAnswer | undefined, target: string): void {
    if (answer === undefined) return;
    for (const [name, value] of answer.fields)
      if (name.length === 10 && name.toLowerCase() === 'set-cookie')
        (this.#jar ??= new CookieJar()).set(value, target, this.#epochSeconds());
  }
}
