import type { Answer } from './answer.ts';
import { valueAt } from './json-path.ts';
import { placeholder } from './placeholder.ts';
import type { RequestOptions } from './request-options.ts';

/**
 * The answer of a dry run: the status that is checked for, the `example` that the request gives, and where there is
 * none, placeholders that show in the next request what would stand there.
 */
export function placeholderAnswer(options: RequestOptions): Answer {
  const { check, example } = options;
  const status = [check?.status].flat().find((one) => typeof one === 'number') ?? 200;
  const text = example === undefined ? '' : JSON.stringify(example);
  const json = (path?: string): unknown => {
    if (example === undefined) return placeholder(path?.replace(/^\$\.?/, '') ?? 'json');
    return path === undefined ? example : (valueAt(example, path) ?? placeholder(path));
  };
  return {
    status,
    failure: '',
    responseTimeSeconds: 0,
    header: (name) => `{${name.toLowerCase()}}`,
    text: () => text,
    bytes: () => new TextEncoder().encode(text),
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
    json: <Value>(path?: string) => json(path) as Value,
    match: (pattern) => `{${pattern.source}}`,
    events: () => [],
  };
}
