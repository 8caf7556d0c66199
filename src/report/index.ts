import { csvReporter } from './csv.ts';
import { hlogReporter } from './hlog.ts';
import { htmlReporter } from './html.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import { markdownReporter } from './markdown.ts';
import type { Reporter } from './reporter.ts';
import { textReporter } from './text.ts';
import { vegaReporter } from './vega.ts';

/** Every form of the report; the choices of `--as`, their help and the contract tests come from this list. */
export const REPORTERS: readonly Reporter[] = [
  textReporter,
  markdownReporter,
  htmlReporter,
  jsonReporter,
  csvReporter,
  junitReporter,
  vegaReporter,
  hlogReporter,
];
