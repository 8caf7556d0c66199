const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** A target cut into what routes are made of. */
export interface CutTarget {
  /** Path segments as sent, without empty ones, `.` and `..`, matrix parameters and the trailing slash. */
  readonly segments: readonly string[];
  /** Without the `?`; missing when there is none. */
  readonly query?: string;
}

/** The text that a percent-encoded one stands for; a text with a bad escape stays as it is. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a path must hold for the slow way: empty and dot segments, matrix parameters, a fragment, an origin. */
const UNUSUAL = /^[^/]|[#;]|\/[./]|\/$/;

/** Cuts a target in origin form; `%2F` stays inside its segment, `/books/42/` is `/books/42`. */
export function cutTarget(target: string): CutTarget {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  // Nearly all paths of a log are plain.
  const isPlain = !UNUSUAL.test(path) && (mark < 0 || !target.includes('#', mark));
  if (!isPlain) return cutUnusual(target);
  const segments = path.slice(1).split('/');
  return mark < 0 ? { segments } : { segments, query: target.slice(mark + 1) };
}

function cutUnusual(target: string): CutTarget {
  const withoutOrigin = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const withoutFragment = withoutOrigin.split('#', 1)[0]!;
  const mark = withoutFragment.indexOf('?');
  const path = mark < 0 ? withoutFragment : withoutFragment.slice(0, mark);
  const segments: string[] = [];
  for (const raw of path.split('/')) {
    const segment = raw.split(';', 1)[0]!;
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return mark < 0 ? { segments } : { segments, query: withoutFragment.slice(mark + 1) };
}
