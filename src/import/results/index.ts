import { abGnuplot } from './formats/ab-gnuplot.ts';
import { abPercentiles } from './formats/ab-percentiles.ts';
import { abText } from './formats/ab-text.ts';
import { artilleryJson } from './formats/artillery-json.ts';
import { autocannonJson } from './formats/autocannon-json.ts';
import { heyCsv } from './formats/hey-csv.ts';
import { heyText } from './formats/hey-text.ts';
import { jtlCsv } from './formats/jtl-csv.ts';
import { jtlXml } from './formats/jtl-xml.ts';
import { k6Csv } from './formats/k6-csv.ts';
import { k6Json } from './formats/k6-json.ts';
import { k6Summary } from './formats/k6-summary.ts';
import { locustHistory } from './formats/locust-history.ts';
import { locustStats } from './formats/locust-stats.ts';
import { ohaCsv } from './formats/oha-csv.ts';
import { ohaJson } from './formats/oha-json.ts';
import { vegetaCsv } from './formats/vegeta-csv.ts';
import { vegetaJson } from './formats/vegeta-json.ts';
import { vegetaReport } from './formats/vegeta-report.ts';
import { wrk, wrk2 } from './formats/wrk.ts';
import type { ResultFormat } from './result-format.ts';

/**
 * Results of other tools, in the order in which a file is tried. What none of them knows is read as a table of steps.
 * A new format is one file in `formats/` and one line here.
 */
export const RESULT_FORMATS: readonly ResultFormat[] = [
  k6Json,
  k6Csv,
  k6Summary,
  jtlCsv,
  jtlXml,
  vegetaJson,
  vegetaCsv,
  vegetaReport,
  heyCsv,
  heyText,
  ohaCsv,
  ohaJson,
  locustHistory,
  locustStats,
  wrk,
  wrk2,
  autocannonJson,
  artilleryJson,
  abText,
  abGnuplot,
  abPercentiles,
];
