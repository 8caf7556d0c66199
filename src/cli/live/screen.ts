import type { ReadStream, WriteStream } from 'node:tty';

/** A terminal taken over whole, until it is given back. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly hasKeys: boolean;
  /** Replaces what is shown; lines must fit. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back as it was. Again: nothing. */
  close(): void;
}

export interface ScreenEvents {
  readonly onResize: () => void;
  readonly onKey: (key: string) => void;
}

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
/** Terminals that know it show a frame whole; others ignore it. */
const BEGIN_FRAME = '\u001b[?2026h\u001b[H';
const END_FRAME = '\u001b[?2026l';
const CLEAR_TO_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Some terminals do not know their size and say 0. */
export const USUAL_WIDTH = 80;
const USUAL_HEIGHT = 24;

/**
 * Takes over a terminal: the alternate screen, so that the lines before it come back untouched, and single keys
 * where the input is a terminal too. Whatever ends the process gives the terminal back.
 */
export function openScreen(output: WriteStream, input: ReadStream, events: ScreenEvents): Screen {
  const hasKeys = input.isTTY;
  let isOpen = true;
  const onData = (data: Buffer): void => events.onKey(data.toString('utf8'));
  output.write(ENTER);
  output.on('resize', events.onResize);
  if (hasKeys) {
    input.setRawMode(true);
    input.on('data', onData);
    input.resume();
  }
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    process.off('exit', close);
    output.off('resize', events.onResize);
    if (hasKeys) {
      input.off('data', onData);
      input.setRawMode(false);
      input.pause();
    }
    output.write(LEAVE);
  };
  process.on('exit', close);
  return {
    get width() {
      return output.columns || USUAL_WIDTH;
    },
    get height() {
      return output.rows || USUAL_HEIGHT;
    },
    hasKeys,
    draw: (lines) => {
      if (!isOpen) return;
      const body = lines.map((line) => `${line}${CLEAR_TO_LINE_END}`).join('\r\n');
      output.write(`${BEGIN_FRAME}${body}${CLEAR_BELOW}${END_FRAME}`);
    },
    close,
  };
}
