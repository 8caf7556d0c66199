import { ShiploadError } from '../errors.ts';
import type { PlanFile } from '../plan-file/read-plan-file.ts';
import { type OptionName, OPTIONS } from './options/index.ts';

/** Where options and targets stand in a plan file. */
export interface PlanPlaces extends Pick<PlanFile, 'places' | 'targetPlaces'> {
  readonly path: string;
}

/**
 * Does what an input is asked for; where options of a plan file contradict each other, or a target of it does not fit
 * what is run, the error says where they stand in it.
 */
export async function placedInPlan<Result>(
  plan: PlanPlaces | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (plan === undefined || !(error instanceof ShiploadError)) throw error;
    const { message, hint, code, where } = error;
    const ofTarget = targetPlacesOf(error, plan);
    const places = ofTarget ?? optionPlacesOf(error, plan);
    if (places.length === 0) throw error;
    const isPlain =
      ofTarget !== undefined || where === undefined || flagsIn(where).some((flag) => message.includes(flag));
    throw new ShiploadError(code, isPlain ? message : `${where}: ${message}`, {
      where: places.join(', '),
      ...(hint !== undefined && { hint }),
      cause: error,
    });
  }
}

const flagsIn = (where: string): readonly string[] => where.split(/,\s*/);

/** Messages about a target quote it. */
function targetPlacesOf(
  { code, where, message }: ShiploadError,
  { targetPlaces }: PlanPlaces,
): readonly string[] | undefined {
  if (code !== 'target-unknown-route' && where !== '--target') return undefined;
  return Object.entries(targetPlaces).flatMap(([text, place]) =>
    message.includes(`"${text}"`) ? [place] : [],
  );
}

function optionPlacesOf({ code, where }: ShiploadError, { places }: PlanPlaces): readonly string[] {
  if (code !== 'option-invalid') return [];
  const flags = new Set(flagsIn(where ?? ''));
  return Object.entries(places).flatMap(([option, place]) =>
    OPTIONS[option as OptionName].flags.split(/[\s,=]+/).some((flag) => flags.has(flag)) ? [place] : [],
  );
}
