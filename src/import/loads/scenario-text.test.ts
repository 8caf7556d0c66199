import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertOnlyWords } from '../../../test/support/generated-scenario.ts';
import { type ImportedLoad, Leaf } from './imported-load.ts';
import { scenarioText } from './scenario-text.ts';

/** Texts that would end a literal, a template or a comment, were they not written as they must be. */
const HOSTILE = [
  "'); process.exit(1); ('",
  '"); process.exit(1); ("',
  '`${process.exit(1)}`',
  '${process.exit(1)}',
  'a\nprocess.exit(1);',
  'a\r\u2028process.exit(1)\u2029',
  '*/ process.exit(1); /*',
  '\\',
  '__proto__',
  '\0\ud800',
];

const loadOf = (text: string): ImportedLoad => ({
  source: 'har',
  summary: text,
  headers: { [text]: text },
  secrets: [{ variable: 'TOKEN', place: text }],
  notes: [text],
  targets: [text],
  assets: [{ method: 'OPTIONS', target: `/${text}`, headers: { [text]: text } }],
  journeys: [
    {
      name: text,
      groups: [
        {
          name: text,
          steps: [
            { kind: 'pause', time: text },
            {
              kind: 'request',
              request: {
                method: 'POST',
                target: ['/', { oneOf: [text, text] }, { variable: 'TOKEN', encoded: true }],
                name: text,
                headers: { [text]: [text, { variable: 'TOKEN' }] },
                body: { kind: 'json', value: JSON.parse(`{"__proto__":${JSON.stringify([text])}}`) },
                keeps: [{ name: 'kept', path: text }],
              },
            },
            {
              kind: 'request',
              request: {
                method: 'PUT',
                target: '/',
                headers: {},
                body: {
                  kind: 'multipart',
                  parts: [{ name: text, filename: text, content: text, type: text }],
                },
              },
            },
            {
              kind: 'request',
              request: {
                method: 'POST',
                target: '/',
                headers: {},
                body: { kind: 'json', value: { [text]: new Leaf([text, { kept: 'kept' }]) } },
              },
            },
          ],
        },
      ],
    },
    {
      name: `${text}2`,
      weight: 2,
      groups: [
        {
          steps: [
            {
              kind: 'request',
              request: { method: 'GET', target: text, headers: {}, body: { kind: 'text', text } },
            },
          ],
        },
      ],
    },
  ],
});

for (const text of HOSTILE)
  test(`nothing of an import is ever code: ${JSON.stringify(text)}`, () => {
    assertOnlyWords(scenarioText(loadOf(text), text));
  });

test('a journey that sends the same every time is a list of plain requests; another is a function', () => {
  const request = { method: 'GET', target: '/a', headers: { Accept: 'x' } } as const;
  const base = { source: 'x', summary: 'x', secrets: [], notes: [] };
  const plain = scenarioText(
    { ...base, journeys: [{ name: 'a', groups: [{ steps: [{ kind: 'request', request }] }] }] },
    'f',
  );
  assert.match(plain, /a: \{ requests: \[get\('\/a', \{ headers: \{ Accept: 'x' \} \}\)\] \},/);
  const made = scenarioText(
    {
      ...base,
      journeys: [{ name: 'a', keepsCookies: true, groups: [{ steps: [{ kind: 'request', request }] }] }],
    },
    'f',
  );
  assert.match(made, /a: async \(user\) => \{\n {6}await user\.get\('\/a', /);
});
