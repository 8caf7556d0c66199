import { escapeHtml } from './escape.ts';
import type { Fact } from './facts.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH } from './html-script.ts';
import { STYLE_SHEET } from './html-style.ts';
import type { Tone, Word } from './words.ts';

/** What stands in the frame of a page besides its title. */
export interface HtmlFrame {
  readonly body: readonly string[];
  /** Elements of the head besides those every page has. */
  readonly head?: readonly string[];
  /** Rules after those every page has. */
  readonly style?: string;
  /** Elements after the script every page has, which sorts and copies what the page holds already. */
  readonly scripts?: readonly string[];
}

/** The frame that all pages share: nothing in it is fetched. */
export function htmlFrame(title: string, { body, head = [], style = '', scripts = [] }: HtmlFrame): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...head,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE_SHEET}${style}</style>`,
    '</head>',
    '<body>',
    ...body,
    `<script>${PAGE_SCRIPT}</script>`,
    ...scripts,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src '${PAGE_SCRIPT_HASH}'`;

/** A whole page around its parts, to be sent as one file; its policy lets only the script of the frame run. */
export function htmlPage(title: string, parts: readonly string[]): string {
  return htmlFrame(title, {
    head: [`<meta http-equiv="Content-Security-Policy" content="${POLICY}">`],
    body: ['<main>', ...parts.filter((part) => part !== ''), '</main>'],
  });
}

/** The same page with links above it, for those who read it in a browser among others. */
export function withNavigation(page: string, navigation: string): string {
  return page.replace('<main>', () => `${navigation}\n<main>`);
}

/** A titled section; nothing where it has no content. */
export function htmlSection(title: string, content: string): string {
  return content === '' ? '' : `<section>\n<h2>${escapeHtml(title)}</h2>\n${content}\n</section>`;
}

/** A word in the colour of its tone; the word itself carries the meaning. */
export function badge({ word, tone }: Word): string {
  return `<span class="badge ${tone}">${escapeHtml(word)}</span>`;
}

/** The headline of a page: the decision with its reason, and what is seen to cause it where that is known. */
export function banner(tone: Tone, word: string, reason: string, cause = ''): string {
  const because = cause === '' ? '' : `<p class="cause">${escapeHtml(cause)}</p>`;
  return `<div class="banner ${tone}"><p class="decision">${escapeHtml(word)}</p><p>${escapeHtml(reason)}</p>${because}</div>`;
}

/** Label and value pairs. */
export function factList(facts: readonly Fact[]): string {
  if (facts.length === 0) return '';
  const rows = facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl>\n${rows.join('\n')}\n</dl>`;
}

/** Texts as a list. */
export function htmlList(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
}
