import type { LogTable } from '../model/log-table.ts';

/** What a target is for a browser. */
export const TARGET_KIND = { page: 0, asset: 1, robots: 2 } as const;

const ASSET_EXTENSIONS = new Set(
  'css js mjs map png jpg jpeg gif webp avif svg ico bmp woff woff2 ttf otf eot mp3 mp4 webm ogg wasm webmanifest'.split(
    ' ',
  ),
);
const LONGEST_EXTENSION = 11;

/** Whether a path ends in the extension of what pages load: styles, scripts, pictures, fonts, sounds. */
export function isAsset(target: string): boolean {
  const mark = target.indexOf('?');
  const end = mark < 0 ? target.length : mark;
  const dot = target.lastIndexOf('.', end - 1);
  if (dot <= 0 || end - dot - 1 > LONGEST_EXTENSION) return false;
  return ASSET_EXTENSIONS.has(target.slice(dot + 1, end).toLowerCase());
}

/** The kind of every target of the table, by its id. */
export function targetKinds(table: LogTable): Uint8Array {
  return Uint8Array.from({ length: table.targets.length }, (_, id) => {
    const target = table.targets.at(id)!;
    if (isAsset(target)) return TARGET_KIND.asset;
    return target.startsWith('/robots.txt') ? TARGET_KIND.robots : TARGET_KIND.page;
  });
}
