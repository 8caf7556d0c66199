import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathText, queryPairs } from './openapi-styles.ts';

const TEXT = 'blue';
const LIST = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

/** The table of OpenAPI 3.1.1, §4.8.12.4 “Style Examples”, but for its row of empty texts. */
test('parameters are spelt as the table of the specification has them', () => {
  const paths: readonly [string, boolean, string, string, string][] = [
    ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ];
  for (const [style, isExploded, ...expected] of paths)
    assert.deepEqual(
      [TEXT, LIST, OBJECT].map((value) => pathText('color', value, { style, isExploded })),
      expected,
      style,
    );
  const queries: readonly [string, boolean, string | undefined, string | undefined, string][] = [
    ['form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    ['spaceDelimited', false, undefined, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
    ['pipeDelimited', false, undefined, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['deepObject', true, undefined, undefined, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ];
  for (const [style, isExploded, ...expected] of queries)
    for (const [i, value] of [TEXT, LIST, OBJECT].entries())
      if (expected[i] !== undefined)
        assert.equal(queryPairs('color', value, { style, isExploded }).join('&'), expected[i], style);
});
