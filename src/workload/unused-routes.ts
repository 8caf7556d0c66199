import type { Notice } from '../model/notice.ts';
import { countText } from '../stats/wording.ts';
import { notice } from './make-notice.ts';
import type { RouteRule } from './route-overrides.ts';

const MOST_NAMED = 5;

/** Routes that were given and fit nothing are mistyped, out of date, or behind an earlier one that takes all of theirs. */
export function unusedRoutes(unused: readonly RouteRule[], routeCount: number): Notice | undefined {
  if (unused.length === 0) return undefined;
  const named = unused.slice(0, MOST_NAMED).map((rule) => {
    const text =
      rule.kind === 'regex'
        ? `regex ${rule.regex.source}`
        : `${rule.kind === 'drop' ? 'drop ' : ''}${rule.route}`;
    const line = /:(\d+)$/.exec(rule.where ?? '')?.[1];
    return line === undefined ? text : `${text} (line ${line})`;
  });
  const more = unused.length > MOST_NAMED ? ` and ${unused.length - MOST_NAMED} more` : '';
  const where = unused[0]!.where;
  return {
    ...notice(
      'routes-unused',
      unused.length === routeCount ? 'warning' : 'info',
      `${unused.length} of ${countText(routeCount, 'given route')} fit no request of the window, or none that an earlier route leaves: ${named.join(', ')}${more}`,
      'Look for a mistyped path or a prefix that the log does not have; [id] fits numbers only, other names any text.',
    ),
    ...(where !== undefined && { where }),
  };
}
