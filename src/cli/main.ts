#!/usr/bin/env node
import { Command as Program, CommanderError } from 'commander';
import { EXIT, ShiploadError } from '../errors.ts';
import { shiploadVersion } from '../host/environment.ts';
import { writeError } from '../host/write-file.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { COMMON, commanderOption, OPTIONS, type OptionValues } from './options/index.ts';
import { harmless, processTerminal } from './terminal.ts';

/** The whole command line as a program. Parsing returns through `onExitCode`; nothing here ends the process. */
function createProgram(commandLine: readonly string[], onExitCode: (code: number) => void): Program {
  const program = new Program('shipload')
    .description(
      'From an access log to a ship decision: can this service carry the load, and if not, what stops it?',
    )
    .version(shiploadVersion())
    .exitOverride()
    // Names alone: with their arguments the summaries would begin beyond the edge of a terminal.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      outputError: (text, write) =>
        write(`shipload: ${harmless(text.replace(/^error: /, '').trimEnd())} [usage]\n`),
    })
    .showHelpAfterError('(--help shows the options)')
    .addHelpText('after', '\nStart with:\n  $ shipload demo\n  $ shipload model access.log');
  for (const command of COMMANDS) addCommand(program, command, commandLine, onExitCode);
  return program;
}

function addCommand(
  program: Program,
  command: Command,
  commandLine: readonly string[],
  onExitCode: (code: number) => void,
): void {
  const sub = program
    .command(`${command.name} ${command.usage}`.trim())
    .description(command.summary)
    .addHelpText('after', `\nExample:\n  $ ${command.example}`)
    .exitOverride();
  // A flag may mean different things to different commands; an option is known by its name in the table.
  const attributes = new Map<string, string>();
  for (const name of command.options) {
    const option = commanderOption(OPTIONS[name]);
    attributes.set(option.attributeName(), name);
    const fallback = command.fallbacks?.[name];
    if (fallback !== undefined) option.default(fallback);
    sub.addOption(option);
  }
  for (const definition of Object.values(COMMON)) sub.addOption(commanderOption(definition));
  sub.action(async () => {
    const given = Object.entries(sub.opts()).map(([key, value]) => [attributes.get(key) ?? key, value]);
    const options = Object.fromEntries(given) as OptionValues;
    const isGiven = (key: string): boolean => sub.getOptionValueSource(key) === 'cli';
    const givenNames = new Set(
      Object.keys(sub.opts())
        .filter(isGiven)
        .map((key) => attributes.get(key) ?? key),
    );
    const terminal = processTerminal({ quiet: options.quiet === true, json: options.json === true });
    onExitCode(
      await command.run(sub.args, options, {
        terminal,
        commandLine,
        given: givenNames,
        exitNow: (code) => process.exit(code),
      }),
    );
  });
}

const say = (text: string): void => void process.stderr.write(`${harmless(text)}\n`);

/** One message: what was seen, where, what to do. */
function reportError(error: unknown): number {
  if (error instanceof ShiploadError) {
    const where = error.where === undefined || error.message.includes(error.where) ? '' : `${error.where}: `;
    say(`shipload: ${where}${error.message} [${error.code}]`);
    if (error.hint !== undefined) say(`  ${error.hint}`);
    return error.exitCode;
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  say(`shipload: a fault of shipload itself: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof Error && process.env['SHIPLOAD_DEBUG'] !== undefined) say(error.stack ?? '');
  else say('  Run again with SHIPLOAD_DEBUG=1 for the details, and please report them.');
  return EXIT.internalFault;
}

async function main(): Promise<void> {
  let exitCode: number = EXIT.done;
  // A reader who closes the pipe (head, less) wants no more; that is no fault. A full disk is one.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode);
  });
  // Nobody listens to the talk any more (a terminal that was closed): what is done goes on.
  process.stderr.on('error', () => {});
  try {
    await createProgram(['shipload', ...process.argv.slice(2)], (code) => (exitCode = code)).parseAsync();
  } catch (error) {
    exitCode = reportError(error);
  }
  // Output to a pipe is asynchronous: leave once it has been taken.
  process.stdout.write('', (error: NodeJS.ErrnoException | null | undefined) => {
    const isLost = error !== null && error !== undefined && error.code !== 'EPIPE';
    process.exit(isLost ? reportError(writeError('standard output', error)) : exitCode);
  });
}

await main();
