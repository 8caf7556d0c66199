interface Cookie {
  readonly value: string;
  readonly path: string;
  readonly expiresAtSeconds: number;
}

/**
 * The cookies of one user at one origin (RFC 6265bis §5): `Path`, `Max-Age` and `Expires` are heeded. All requests
 * go to one origin, so `Domain`, `Secure` and `SameSite` have nothing to decide. Times are epoch seconds.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  get isEmpty(): boolean {
    return this.#cookies.size === 0;
  }

  /** Takes a Set-Cookie field of an answer to `target`. What is no cookie is ignored, as §5.6 asks. */
  set(field: string, target: string, nowSeconds: number): void {
    const [pair = '', ...attributes] = field.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    if (name === '') return;
    let path = defaultPath(target);
    let expiresAtSeconds = Infinity;
    let hasMaxAge = false;
    for (const attribute of attributes) {
      const [key = '', ...rest] = attribute.split('=');
      const value = rest.join('=').trim();
      const kind = key.trim().toLowerCase();
      if (kind === 'path') path = value.startsWith('/') ? value : defaultPath(target);
      if (kind === 'max-age' && /^-?\d+$/.test(value)) {
        hasMaxAge = true;
        expiresAtSeconds = nowSeconds + Number(value);
      }
      if (kind === 'expires' && !hasMaxAge && !Number.isNaN(Date.parse(value)))
        expiresAtSeconds = Date.parse(value) / 1000;
    }
    const key = `${name}\n${path}`;
    if (expiresAtSeconds <= nowSeconds) this.#cookies.delete(key);
    else this.#cookies.set(key, { value: pair.slice(equals + 1).trim(), path, expiresAtSeconds });
  }

  /** The Cookie field for a request to `target`, longer paths first (§5.8.3); undefined without any. */
  header(target: string, nowSeconds: number): string | undefined {
    if (this.#cookies.size === 0) return undefined;
    const path = target.split('?', 1)[0]!;
    const sent = [...this.#cookies]
      .filter(([, cookie]) => cookie.expiresAtSeconds > nowSeconds && pathMatches(path, cookie.path))
      .toSorted(([, a], [, b]) => b.path.length - a.path.length)
      .map(([key, cookie]) => `${key.slice(0, key.indexOf('\n'))}=${cookie.value}`);
    return sent.length === 0 ? undefined : sent.join('; ');
  }
}

/** §5.1.4: the folder of the request. */
function defaultPath(target: string): string {
  const path = target.split('?', 1)[0]!;
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}

const pathMatches = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
