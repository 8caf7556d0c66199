import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPng, type Picture } from '../../test/support/png-reader.ts';
import { sampleRecord } from '../../test/support/sample-record.ts';
import { chartsOfRun, svgFile } from '../report/charts/svg-file.ts';
import { exportPng } from './png.ts';

const hasPackages = await import('@resvg/resvg-js').then(
  () => true,
  () => false,
);
const skip = hasPackages ? false : 'the optional package @resvg/resvg-js has no binary here';

/** Pixels that are not the background's (that of the corner), within a part of the picture. */
function inkCount(
  { width, rgba }: Picture,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
): number {
  const corner = rgba.subarray(0, 4).join();
  let count = 0;
  for (let y = y0; y < y1; y += 1)
    for (let x = x0; x < x1; x += 1) {
      const at = (y * width + x) * 4;
      if (rgba.subarray(at, at + 4).join() !== corner) count += 1;
    }
  return count;
}

test(
  'a square drawn is a square in the picture, at twice its size, and text leaves ink with no font of the machine',
  { skip },
  async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20"><rect width="40" height="20" fill="#fff"/>' +
      '<rect x="5" y="5" width="10" height="10" fill="#c00"/><text x="20" y="15" font-size="12" font-family="sans-serif">XX</text></svg>';
    const picture = readPng(await exportPng(svg));
    assert.deepEqual([picture.width, picture.height], [80, 40]);
    assert.equal(inkCount(picture, [0, 0, 40, 40]), 20 * 20);
    assert.ok(inkCount(picture, [40, 0, 80, 40]) > 60, 'the text is missing');
    assert.deepEqual(
      [...picture.rgba.subarray((20 * 80 + 20) * 4, (20 * 80 + 20) * 4 + 4)],
      [204, 0, 0, 255],
    );
  },
);

test('every chart of a run becomes a picture of its size that shows lines and words', { skip }, async () => {
  const charts = chartsOfRun(sampleRecord());
  assert.ok(charts.length >= 2);
  for (const chart of charts) {
    const svg = svgFile(chart);
    const [, width, height] = /<svg[^>]* viewBox="0 -26 ([\d.]+) ([\d.]+)"/.exec(svg)!.map(Number);
    const picture = readPng(await exportPng(svg));
    assert.deepEqual([picture.width, picture.height], [2 * width!, 2 * height!]);
    const words = svg.replace(/<text[^>]*>[^<]*<\/text>/g, '');
    const wordless = readPng(await exportPng(words));
    const all = [0, 0, picture.width, picture.height] as const;
    const ink = inkCount(picture, all);
    const lines = inkCount(wordless, all);
    // A chart is mostly empty, and its axes alone are longer than its width.
    assert.ok(lines > picture.width, `${lines} pixels of lines`);
    assert.ok(ink > lines + 500, `${ink - lines} pixels of words`);
    assert.ok(ink < 0.6 * picture.width * picture.height, `${ink} pixels`);
  }
});
