import { decimal } from '../csv-line.ts';
import type { SampleFormat, LineReader } from '../result-format.ts';
import type { SampleSink } from '../sample.ts';
import { jtlSample, JTL_MEANING, JTL_MISSING, type JtlField } from './jtl-sample.ts';

const NAMES: Readonly<Record<Parameters<JtlField>[0], string>> = {
  time: 'ts',
  elapsed: 't',
  label: 'lb',
  code: 'rc',
  message: 'rm',
  success: 's',
  bytes: 'by',
  threads: 'na',
};

const TAG = /<(\/?)(httpSample|sample)\b([^<>]*?)(\/?)>/g;
const ATTRIBUTE = /([\w:]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** JMeter's results as XML. A sample inside another (a redirect, an embedded file) is a part of it and not counted again. */
export const jtlXml: SampleFormat = {
  kind: 'samples',
  name: 'jtl-xml',
  tool: 'JMeter',
  describe: 'jmeter -n -l FILE, as XML',
  missing: JTL_MISSING,
  meaning: JTL_MEANING,
  detect: ({ text }) =>
    /^\s*(?:<\?xml[^>]*\?>\s*)?<testResults\b/.test(text) ? 'the element <testResults> of JMeter' : undefined,
  open: (sink) => new XmlReader(sink),
};

class XmlReader implements LineReader {
  readonly #sink: SampleSink;
  #depth = 0;

  constructor(sink: SampleSink) {
    this.#sink = sink;
  }

  line(text: string): string | undefined {
    let reason: string | undefined;
    // A tag that is cut, or whose text is, would otherwise pass for one of the many lines that hold no sample.
    if (/<(?:httpSample|sample)\b[^<>]*$/.test(text)) reason = 'a sample without an end';
    for (const [, closing, , attributes, empty] of text.matchAll(TAG)) {
      if (closing === '/') {
        this.#depth = Math.max(0, this.#depth - 1);
        continue;
      }
      if (this.#depth === 0) reason = this.#sample(attributes!) ?? reason;
      if (empty !== '/') this.#depth += 1;
    }
    return reason;
  }

  #sample(attributes: string): string | undefined {
    const values = new Map<string, string>();
    for (const [, name, value] of attributes.matchAll(ATTRIBUTE)) values.set(name!, value!);
    const field: JtlField = (name) => unescaped(values.get(NAMES[name]) ?? '');
    const atSeconds = decimal(field('time')) / 1000;
    if (Number.isNaN(atSeconds)) return `ts is "${field('time').slice(0, 30)}", not milliseconds`;
    const sample = jtlSample(field, atSeconds);
    return typeof sample === 'string' ? sample : this.#sink.sample(sample);
  }
}

const unescaped = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (all, hex: string, digits: string, name: string) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
