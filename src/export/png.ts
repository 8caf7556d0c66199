import { ShiploadError } from '../errors.ts';

const PACKAGE = '@resvg/resvg-js';
/** Twice the size of the drawing, for sharp screens. */
const ZOOM = 2;

interface Resvg {
  readonly Resvg: new (
    svg: string,
    options: { readonly fitTo: { readonly mode: 'zoom'; readonly value: number } },
  ) => { render(): { asPng(): Uint8Array } };
}

/** A drawing as PNG. Throws `optional-package-missing` where the package that draws it is not installed. */
export async function exportPng(svg: string): Promise<Uint8Array> {
  const library = (await import(PACKAGE).catch((cause: unknown) => {
    throw new ShiploadError('optional-package-missing', `PNG needs the package ${PACKAGE}`, {
      hint: `npm install ${PACKAGE}@2.6.2, or take the charts as SVG: --to svg`,
      cause,
    });
  })) as Resvg;
  // The drawing's colours are inherited through `currentColor` of a class, which it resolves.
  return new library.Resvg(svg, { fitTo: { mode: 'zoom', value: ZOOM } }).render().asPng();
}
