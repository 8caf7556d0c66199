import { MissingFigure, type SummaryFormat } from '../result-format.ts';

/** `ab -e FILE`: percentiles and nothing else. Known so that it can be refused by name. */
export const abPercentiles: SummaryFormat = {
  kind: 'summary',
  name: 'ab-percentiles',
  tool: 'ab',
  describe: 'ab -e FILE: refused, it tells neither a count nor a rate',
  missing: [],
  meaning: [],
  detect: ({ lines }) =>
    (lines[0] ?? '').startsWith('Percentage served,Time in ms')
      ? 'the header of ab’s percentiles'
      : undefined,
  open: () => ({
    line: () => undefined,
    steps() {
      throw new MissingFigure(
        'ab -e writes percentiles without a count, a rate or a load, which make no step: import what ab prints, or its -g file',
      );
    },
  }),
};
