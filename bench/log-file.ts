import { closeSync, openSync, writeSync } from 'node:fs';

/** Bytes of a line on average, so that 5 million lines make 1.2 GB. */
const LINE_BYTES = 242;
const LINES_OF_A_GIGABYTE = 5_000_000;
const CLIENTS_PER_LINE = 190_000 / LINES_OF_A_GIGABYTE;
const RARE_PATHS_PER_LINE = 2_100_000 / LINES_OF_A_GIGABYTE;
const RARE_SHARE = 0.48;
const COMMON_PATHS = 2_000;
const FIRST_SECOND = 1_796_040_000;
const SPAN_SECONDS = 86_400;
const FLUSH_BYTES = 1 << 22;

const AGENTS = Array.from(
  { length: 400 },
  (_, index) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (index % 40)}.0.${index}.0 Safari/537.36`,
);

/** Uniform numbers in [0, 1) by a linear congruence (Numerical Recipes, "quick and dirty" generators). */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const MONTH = 'Nov';
const two = (value: number): string => String(value).padStart(2, '0');

/** One day of traffic with a peak in its middle, in seconds since its midnight. */
function secondOf(line: number, lines: number): number {
  const share = line / lines;
  return Math.floor(SPAN_SECONDS * (share + Math.sin(2 * Math.PI * share) / (4 * Math.PI)));
}

const stampOf = (second: number): string =>
  `30/${MONTH}/2026:${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)} +0000`;

/**
 * Writes about `bytes` of a combined log with request times, the same for the same size: in a gigabyte 5 M
 * lines, 1.4 M distinct paths, 190 k clients. Returns its number of lines.
 */
export function writeLog(path: string, bytes: number): number {
  const lines = Math.round(bytes / LINE_BYTES);
  const random = uniforms(FIRST_SECOND);
  const file = openSync(path, 'w');
  let text = '';
  for (let line = 0; line < lines; line += 1) {
    text += lineAt(secondOf(line, lines), lines, random);
    if (text.length < FLUSH_BYTES) continue;
    writeSync(file, text, null, 'latin1');
    text = '';
  }
  writeSync(file, text, null, 'latin1');
  closeSync(file);
  return lines;
}

function lineAt(second: number, lines: number, random: () => number): string {
  const client = Math.floor(lines * CLIENTS_PER_LINE * random() ** 1.5);
  const address = `${20 + (client >> 16)}.${(client >> 8) & 255}.${client & 255}.${client % 199}`;
  const path =
    random() < RARE_SHARE
      ? `/catalogue/products/${Math.floor(lines * RARE_PATHS_PER_LINE * random())}`
      : `/pages/section-${Math.floor(COMMON_PATHS * random() ** 3)}/view`;
  const status = random() < 0.927 ? 200 : random() < 0.5 ? 304 : 404;
  const size = Math.floor(40_000 * random());
  const seconds = (0.16 * random()).toFixed(3);
  const agent = AGENTS[client % AGENTS.length]!;
  return `${address} - - [${stampOf(second)}] "GET ${path} HTTP/1.1" ${status} ${size} "https://shop.example/start" "${agent}" ${seconds}\n`;
}
