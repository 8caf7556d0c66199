/** What a line of a log may hold that is nobody's own: names of fields, levels, methods and words of protocols. */
const KNOWN_WORDS = new Set(
  `get head post put delete connect options trace patch http https html json xml info warn warning error err debug fatal notice
  critical trace emerg alert time timestamp date host remote addr address client ip request req method uri url path query
  status code size bytes body sent received length user agent referer referrer level msg message ts logger duration
  latency elapsed upstream response resp id name server port proto protocol version headers header cookie authorization
  bearer basic token password email replaced exception at in of the to from is and or no not line with java python
  mozilla curl stdout stderr utc gmt api key x`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const KEPT = [
  // Times, and the version of the protocol.
  String.raw`\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?`,
  String.raw`(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)`,
  String.raw`(?<![\d:])\d\d:\d\d:\d\d(?![\d:])`,
  String.raw`HTTP\/\d(?:\.\d)?(?![\w.])`,
  // How control characters are shown.
  String.raw`\\x[01][\da-f]`,
];
const PART = new RegExp(`(${KEPT.join('|')})|[\\p{L}\\p{M}]+|\\p{N}`, 'gu');

/**
 * A line of a log as its shape: letters become `a` and `A`, digits `0`; punctuation, times and common words stay, so that
 * it shows how the line is built and nothing of what stood in it.
 */
export const shapeOfLine = (text: string): string =>
  text.replace(PART, (part: string, kept: string | undefined) => {
    if (kept !== undefined || KNOWN_WORDS.has(part.toLowerCase())) return part;
    return part
      .replaceAll(/\p{N}/gu, '0')
      .replaceAll(/\p{Lu}/gu, 'A')
      .replaceAll(/[^A0]/gu, 'a');
  });
