import { USUAL_WIDTH, openScreen, type Screen, type ScreenEvents } from './live/screen.ts';
import { printable } from '../report/escape.ts';
import { redactText } from '../session/redact.ts';

/** Where a command writes: results on stdout, talk on stderr. */
export interface Terminal {
  readonly isQuiet: boolean;
  /** Whether stderr is a terminal that can redraw a line. */
  readonly isInteractive: boolean;
  readonly color: boolean;
  readonly width: number;
  /** The result of the command. */
  print(text: string): void;
  /** Progress and remarks; nothing with --quiet. */
  say(text: string): void;
  /** Redraws one line in place on a terminal; does nothing elsewhere. */
  status(text: string): void;
  /**
   * Takes the whole terminal over; undefined where that is not possible. What is said meanwhile goes to `onSay`, made
   * harmless, and is written once the screen is closed.
   */
  openScreen(events: ScreenEvents & { readonly onSay: (text: string) => void }): Screen | undefined;
}

/**
 * Talk quotes paths, log lines and what services print: nothing of it acts on the terminal, and nothing in it that
 * lets somebody in is shown.
 */
export const harmless = (text: string): string =>
  redactText(text)
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');

/** The process's own terminal. `NO_COLOR` (any non-empty value) and a pipe turn colour off. */
export function processTerminal(options: { readonly quiet: boolean; readonly json: boolean }): Terminal {
  const { stdout, stderr } = process;
  const isInteractive = stderr.isTTY && !options.quiet;
  let hasStatus = false;
  let onSay: ((text: string) => void) | undefined;
  let said: string[] = [];
  const clearStatus = (): void => {
    if (hasStatus) stderr.write('\r\u001b[2K');
    hasStatus = false;
  };
  return {
    isQuiet: options.quiet,
    isInteractive,
    color:
      stdout.isTTY &&
      !options.json &&
      (process.env['NO_COLOR'] ?? '') === '' &&
      process.env['TERM'] !== 'dumb',
    width: stdout.isTTY ? stdout.columns || USUAL_WIDTH : 160,
    print: (text) => {
      clearStatus();
      stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    say: (text) => {
      if (options.quiet) return;
      const shown = harmless(text);
      if (onSay !== undefined) {
        said.push(shown);
        onSay(shown);
        return;
      }
      clearStatus();
      stderr.write(`${shown}\n`);
    },
    status: (text) => {
      if (!isInteractive) return;
      stderr.write(`\r\u001b[2K${harmless(text).slice(0, Math.max(20, stderr.columns - 1))}`);
      hasStatus = true;
    },
    openScreen: (events) => {
      if (!isInteractive || process.env['TERM'] === 'dumb') return undefined;
      clearStatus();
      const screen = openScreen(stderr, process.stdin, events);
      onSay = events.onSay;
      return {
        get width() {
          return screen.width;
        },
        get height() {
          return screen.height;
        },
        hasKeys: screen.hasKeys,
        draw: (lines) => screen.draw(lines),
        close: () => {
          if (onSay === undefined) return;
          screen.close();
          onSay = undefined;
          for (const text of said) stderr.write(`${text}\n`);
          said = [];
        },
      };
    },
  };
}
