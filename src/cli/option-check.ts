import { ShiploadError } from '../errors.ts';
import type { OptionUse } from './options/applies.ts';
import type { OptionDefinition } from './options/definition.ts';
import { OPTIONS } from './options/index.ts';

/** Holds the options that were given against what the command is about to do. */
export type OptionCheck = (use: OptionUse) => void;

/**
 * A check of what was given: an option of the command line that would do nothing is refused (`option-invalid`), one
 * of a plan file is noted, because one plan serves runs of several shapes.
 */
export function optionCheck(
  typed: ReadonlySet<string>,
  given: ReadonlySet<string> = typed,
  note: (text: string) => void = () => {},
): OptionCheck {
  return (use) => {
    for (const { name, where, message } of unusedOptions(given, use)) {
      const hint = useText(use);
      if (typed.has(name))
        throw new ShiploadError('option-invalid', message, { where, ...(hint !== '' && { hint }) });
      note(`Note: ${message}; the plan gives it to no effect`);
    }
  };
}

interface UnusedOption {
  readonly name: string;
  readonly where: string;
  readonly message: string;
}

/** Those of the given options that have no meaning in this use, with the rule that says where they have one. */
export function unusedOptions(given: ReadonlySet<string>, use: OptionUse): readonly UnusedOption[] {
  return [...given].flatMap((name) => {
    const definition = (OPTIONS as Readonly<Record<string, OptionDefinition<unknown> | undefined>>)[name];
    if (definition?.applies === undefined || definition.applies.holds(use)) return [];
    const where = /--[\w-]+/.exec(definition.flags)![0];
    return [{ name, where, message: `${where} ${definition.applies.rule}` }];
  });
}

const LOAD_WORDS = {
  users: 'users',
  concurrency: 'workers (-c)',
  arrivalRatePerSecond: 'arrivals (--rate)',
} as const;

/** What the command is about to do; empty where that is plain. */
function useText({ shape, loadKind, input }: OptionUse): string {
  if (shape === undefined) return '';
  const what = shape === 'stages' ? 'the stages of the scenario' : `--shape ${shape}`;
  const load = loadKind === undefined || shape === 'replay' ? '' : `, of ${LOAD_WORDS[loadKind]}`;
  return `This is ${what}${load}${input === undefined ? '' : `, from a ${input === 'url' ? 'URL' : input}`}.`;
}
