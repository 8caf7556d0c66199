import { createRequire } from 'node:module';
import { ShiploadError } from '../errors.ts';

const PACKAGE = '@resvg/resvg-js';
const FONT_PACKAGE = 'dejavu-fonts-ttf';
/** Twice the size of the drawing, for sharp screens. */
const ZOOM = 2;

interface Resvg {
  readonly Resvg: new (
    svg: string,
    options: {
      readonly fitTo: { readonly mode: 'zoom'; readonly value: number };
      readonly font: {
        readonly fontFiles: readonly string[];
        readonly loadSystemFonts: boolean;
        readonly defaultFontFamily: string;
      };
    },
  ) => { render(): { asPng(): Uint8Array } };
}

/**
 * A drawing as PNG, with a font of its own: a machine need not have one, and the same drawing gives the same octets.
 * Throws `optional-package-missing` where the packages that draw it are not installed.
 */
export async function exportPng(svg: string): Promise<Uint8Array> {
  try {
    const { Resvg } = (await import(PACKAGE)) as Resvg;
    const fontFiles = [createRequire(import.meta.url).resolve(`${FONT_PACKAGE}/ttf/DejaVuSans.ttf`)];
    const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' };
    // The drawing's colours are inherited through `currentColor` of a class, which it resolves.
    return new Resvg(svg, { fitTo: { mode: 'zoom', value: ZOOM }, font }).render().asPng();
  } catch (cause) {
    if (!isMissingModule(cause)) throw cause;
    throw new ShiploadError(
      'optional-package-missing',
      `PNG needs the packages ${PACKAGE} and ${FONT_PACKAGE}`,
      {
        hint: `npm install ${PACKAGE}@2.6.2 ${FONT_PACKAGE}@2.37.3, or take the charts as SVG: --to svg`,
        cause,
      },
    );
  }
}

const isMissingModule = (cause: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((cause as NodeJS.ErrnoException).code ?? '');
