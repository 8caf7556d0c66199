/** Words of one line's record, in the order in which they lie in memory. */
export const RECORD = {
  /** Where the next line begins; the line itself ends before it, less its line break. */
  next: 0,
  /** `FLAG` bits; 0: the line is not plain, and no other word but `next` means anything. */
  flags: 1,
  clientStart: 2,
  clientEnd: 3,
  methodEnd: 4,
  targetEnd: 5,
  status: 6,
  /** Whole digits of the size; −1 without one. */
  size: 7,
  refererStart: 8,
  refererEnd: 9,
  agentStart: 10,
  agentEnd: 11,
  /** Where the tail begins. */
  tail: 12,
  /** Digits of the duration without its point, and how many of them are decimals; −1 decimals without one. */
  digits: 13,
  decimals: 14,
} as const;
export const RECORD_BYTES = 64;

export const FLAG = { plain: 1, newStamp: 2, oddClient: 4 } as const;
/** What the lines of a file hold: see `ClfLayout`. */
export const LAYOUT = { vhost: 1, combined: 2, number: 4, fields: 8 } as const;

/** Bytes of memory: the last stamp, then records, then the lines, with room for a vector behind the last one. */
export const MEMORY_MAP = {
  stamp: 16,
  records: 64,
  lines: 1 << 20,
  pages: 21,
  lineBytes: (1 << 18) - 64,
} as const;

/**
 * The scanner of plain lines, in the text format of WebAssembly: `scan` fills a record a line, from byte `at`
 * to `end` (behind a line break) or to the last record there is room for, and returns where the records end.
 * What a plain line is and what is read of it is what `ClfParser` says; a line that is not, or that holds a
 * number of more than nine digits, is left to it. Since the last byte is a line break, no search for a byte
 * or a line break runs beyond the lines.
 */
export const CLF_PROGRAM = String.raw`
(module
  (memory (export "memory") ${MEMORY_MAP.pages})

  ;; The place of the first byte from $at on that is $a or $b or a line break.
  (func $find (param $at i32) (param $a i32) (param $b i32) (result i32)
    (local $as v128) (local $bs v128) (local $breaks v128) (local $bytes v128) (local $found i32)
    (local.set $as (i8x16.splat (local.get $a)))
    (local.set $bs (i8x16.splat (local.get $b)))
    (local.set $breaks (i8x16.splat (i32.const 10)))
    (local.set $at (i32.sub (local.get $at) (i32.const 16)))
    (loop $more
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $found (i8x16.bitmask (v128.or
        (v128.or
          (i8x16.eq (local.get $bytes) (local.get $as))
          (i8x16.eq (local.get $bytes) (local.get $bs)))
        (i8x16.eq (local.get $bytes) (local.get $breaks)))))
      (br_if $more (i32.eqz (local.get $found))))
    (i32.add (local.get $at) (i32.ctz (local.get $found))))

  ;; The value of the digit at $at; ten and more for any other byte.
  (func $digit (param $at i32) (result i32)
    (i32.sub (i32.load8_u (local.get $at)) (i32.const 48)))

  ;; Whether the client from $from to $to is more than digits, points and slashes.
  (func $isOdd (param $from i32) (param $to i32) (result i32)
    (local $all i32)
    (local.set $all (i32.sub
      (i32.shl (i32.const 1) (i32.sub (local.get $to) (local.get $from)))
      (i32.const 1)))
    (i32.or
      (i32.gt_u (i32.sub (local.get $to) (local.get $from)) (i32.const 16))
      (i32.ne (local.get $all) (i32.and (local.get $all) (i8x16.bitmask (i8x16.le_u
        (i8x16.sub (v128.load (local.get $from)) (i8x16.splat (i32.const 46)))
        (i8x16.splat (i32.const 11))))))))

  ;; Whether the 26 bytes at $at are those of the last line's stamp.
  (func $isKnown (param $at i32) (result i32)
    (i8x16.all_true (v128.and
      (i8x16.eq (v128.load (local.get $at)) (v128.load (i32.const ${MEMORY_MAP.stamp})))
      (i8x16.eq (v128.load offset=10 (local.get $at)) (v128.load offset=10 (i32.const ${MEMORY_MAP.stamp}))))))

  ;; The closing quote of the text at $at, if no backslash stands before it; 0: look carefully.
  (func $closing (param $at i32) (result i32)
    (local.set $at (call $find (local.get $at) (i32.const 34) (i32.const 34)))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 34)) (then (return (i32.const 0))))
    (if (i32.eq (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 92))
      (then (return (i32.const 0))))
    (local.get $at))

  ;; The client, stamp and opening quote: returns where the request begins; 0: not plain.
  (func $head (param $at i32) (param $record i32) (result i32)
    (local $from i32) (local $flags i32)
    (local.set $from (local.get $at))
    (local.set $at (call $find (local.get $at) (i32.const 32) (i32.const 32)))
    ;; " - -", then "- - " one byte on, and a bracket
    (if (i32.ne (i32.load (local.get $at)) (i32.const 0x2d202d20)) (then (return (i32.const 0))))
    (if (i32.ne (i32.load offset=2 (local.get $at)) (i32.const 0x5b202d20)) (then (return (i32.const 0))))
    ;; "] " and a quote behind the stamp
    (if (i32.ne
        (i32.and (i32.load offset=32 (local.get $at)) (i32.const 0xffffff))
        (i32.const 0x22205d))
      (then (return (i32.const 0))))
    (local.set $flags (i32.const ${FLAG.plain}))
    (if (i32.eqz (call $isKnown (i32.add (local.get $at) (i32.const 6)))) (then
      ;; A line break within the stamp: these are two lines.
      (if (i32.lt_u
          (call $find (local.get $at) (i32.const 10) (i32.const 10))
          (i32.add (local.get $at) (i32.const 35)))
        (then (return (i32.const 0))))
      (v128.store (i32.const ${MEMORY_MAP.stamp}) (v128.load offset=6 (local.get $at)))
      (v128.store offset=10 (i32.const ${MEMORY_MAP.stamp}) (v128.load offset=16 (local.get $at)))
      (local.set $flags (i32.or (local.get $flags) (i32.const ${FLAG.newStamp})))))
    (if (call $isOdd (local.get $from) (local.get $at)) (then
      (local.set $flags (i32.or (local.get $flags) (i32.const ${FLAG.oddClient})))))
    (i32.store offset=${4 * RECORD.flags} (local.get $record) (local.get $flags))
    (i32.store offset=${4 * RECORD.clientStart} (local.get $record) (local.get $from))
    (i32.store offset=${4 * RECORD.clientEnd} (local.get $record) (local.get $at))
    (i32.add (local.get $at) (i32.const 35)))

  ;; METHOD target HTTP/1.1: returns the place of the closing quote; 0: not plain.
  (func $request (param $at i32) (param $record i32) (result i32)
    (local $from i32)
    (local.set $from (local.get $at))
    (local.set $at (i32.sub (local.get $at) (i32.const 1)))
    (loop $letters
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $letters (i32.lt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 65)) (i32.const 26))))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 32)) (then (return (i32.const 0))))
    (if (i32.gt_u (i32.sub (i32.sub (local.get $at) (local.get $from)) (i32.const 1)) (i32.const 15))
      (then (return (i32.const 0))))
    (i32.store offset=${4 * RECORD.methodEnd} (local.get $record) (local.get $at))
    (local.set $from (i32.add (local.get $at) (i32.const 1)))
    (local.set $at (call $find (local.get $from) (i32.const 32) (i32.const 34)))
    (if (i32.eq (local.get $at) (local.get $from)) (then (return (i32.const 0))))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 32)) (then (return (i32.const 0))))
    (i32.store offset=${4 * RECORD.targetEnd} (local.get $record) (local.get $at))
    ;; "HTTP", a slash, and one digit or two with a point between
    (if (i32.ne (i32.load offset=1 (local.get $at)) (i32.const 0x50545448)) (then (return (i32.const 0))))
    (if (i32.ne (i32.load8_u offset=5 (local.get $at)) (i32.const 47)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 6)))
    (if (i32.gt_u (call $digit (local.get $at)) (i32.const 9)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 46)) (then
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.gt_u (call $digit (local.get $at)) (i32.const 9)) (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 34)) (then (return (i32.const 0))))
    (local.get $at))

  ;; Status and size from the closing quote on: returns the place behind them; 0: not plain.
  (func $numbers (param $at i32) (param $record i32) (result i32)
    (local $value i32) (local $digit i32) (local $from i32) (local $count i32)
    (if (i32.ne (i32.load8_u offset=1 (local.get $at)) (i32.const 32)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 2)))
    (loop $status
      (local.set $digit (call $digit (local.get $at)))
      (if (i32.gt_u (local.get $digit) (i32.const 9)) (then (return (i32.const 0))))
      (local.set $value (i32.add (i32.mul (local.get $value) (i32.const 10)) (local.get $digit)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (local.set $count (i32.add (local.get $count) (i32.const 1)))
      (br_if $status (i32.lt_u (local.get $count) (i32.const 3))))
    (i32.store offset=${4 * RECORD.status} (local.get $record) (local.get $value))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 32)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 45)) (then
      (i32.store offset=${4 * RECORD.size} (local.get $record) (i32.const -1))
      (return (i32.add (local.get $at) (i32.const 1)))))
    (local.set $from (local.get $at))
    (local.set $value (i32.const 0))
    (local.set $digit (call $digit (local.get $at)))
    (loop $size
      (if (i32.le_u (local.get $digit) (i32.const 9)) (then
        (local.set $value (i32.add (i32.mul (local.get $value) (i32.const 10)) (local.get $digit)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $digit (call $digit (local.get $at)))
        (br $size))))
    (i32.store offset=${4 * RECORD.size} (local.get $record) (local.get $value))
    (if (i32.gt_u (i32.sub (i32.sub (local.get $at) (local.get $from)) (i32.const 1)) (i32.const 8))
      (then (return (i32.const 0))))
    (local.get $at))

  ;; Referer and user agent: returns the place behind them; 0: not plain.
  (func $texts (param $at i32) (param $record i32) (result i32)
    (local $close i32)
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 32)) (then (return (i32.const 0))))
    (if (i32.ne (i32.load8_u offset=1 (local.get $at)) (i32.const 34)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 2)))
    (local.set $close (call $closing (local.get $at)))
    (if (i32.eqz (local.get $close)) (then (return (i32.const 0))))
    (i32.store offset=${4 * RECORD.refererStart} (local.get $record) (local.get $at))
    (i32.store offset=${4 * RECORD.refererEnd} (local.get $record) (local.get $close))
    (if (i32.ne (i32.load8_u offset=1 (local.get $close)) (i32.const 32)) (then (return (i32.const 0))))
    (if (i32.ne (i32.load8_u offset=2 (local.get $close)) (i32.const 34)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $close) (i32.const 3)))
    (local.set $close (call $closing (local.get $at)))
    (if (i32.eqz (local.get $close)) (then (return (i32.const 0))))
    (i32.store offset=${4 * RECORD.agentStart} (local.get $record) (local.get $at))
    (i32.store offset=${4 * RECORD.agentEnd} (local.get $record) (local.get $close))
    (i32.add (local.get $close) (i32.const 1)))

  ;; A space and a duration, or a hyphen for none: returns the place behind it; 0: not plain.
  (func $duration (param $at i32) (param $record i32) (result i32)
    (local $value i32) (local $digit i32) (local $from i32) (local $point i32)
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 32)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (local.set $from (local.get $at))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 45)) (then
      (i32.store offset=${4 * RECORD.decimals} (local.get $record) (i32.const -1))
      (return (i32.add (local.get $at) (i32.const 1)))))
    (loop $digits
      (local.set $digit (call $digit (local.get $at)))
      (if (i32.le_u (local.get $digit) (i32.const 9)) (then
        (local.set $value (i32.add (i32.mul (local.get $value) (i32.const 10)) (local.get $digit)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $digits)))
      ;; 46 − 48: the point, once and not at the beginning
      (if (i32.and (i32.and
          (i32.eq (local.get $digit) (i32.const -2))
          (i32.eqz (local.get $point)))
          (i32.gt_u (local.get $at) (local.get $from))) (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $point (local.get $at))
        (br $digits))))
    ;; One to nine digits and the point fit.
    (if (i32.gt_u (i32.sub (i32.sub (local.get $at) (local.get $from)) (i32.const 1)) (i32.const 8))
      (then (return (i32.const 0))))
    (i32.store offset=${4 * RECORD.digits} (local.get $record) (local.get $value))
    (if (local.get $point)
      (then (i32.store offset=${4 * RECORD.decimals} (local.get $record)
        (i32.sub (local.get $at) (local.get $point))))
      (else (i32.store offset=${4 * RECORD.decimals} (local.get $record) (i32.const 0))))
    (local.get $at))

  ;; The fields of one line: returns the place of its line break; 0: not plain.
  (func $line (param $at i32) (param $record i32) (param $layout i32) (result i32)
    ;; A comment
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 35)) (then (return (i32.const 0))))
    (if (i32.and (local.get $layout) (i32.const ${LAYOUT.vhost})) (then
      (local.set $at (call $find (local.get $at) (i32.const 32) (i32.const 32)))
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 32)) (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (local.set $at (call $head (local.get $at) (local.get $record)))
    (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
    (local.set $at (call $request (local.get $at) (local.get $record)))
    (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
    (local.set $at (call $numbers (local.get $at) (local.get $record)))
    (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
    (if (i32.and (local.get $layout) (i32.const ${LAYOUT.combined})) (then
      (local.set $at (call $texts (local.get $at) (local.get $record)))
      (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))))
    (i32.store offset=${4 * RECORD.tail} (local.get $record) (local.get $at))
    (if (i32.and (local.get $layout) (i32.const ${LAYOUT.number})) (then
      (local.set $at (call $duration (local.get $at) (local.get $record)))
      (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))))
    (if (i32.and (local.get $layout) (i32.const ${LAYOUT.fields})) (then
      (return (call $find (local.get $at) (i32.const 10) (i32.const 10)))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 13)) (then
      (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 10)) (then (return (i32.const 0))))
    (local.get $at))

  (func $scan (export "scan")
    (param $at i32) (param $end i32) (param $record i32) (param $recordsEnd i32) (param $layout i32)
    (result i32)
    (local $break i32)
    (loop $lines
      (local.set $break (call $line (local.get $at) (local.get $record) (local.get $layout)))
      (if (i32.eqz (local.get $break)) (then
        ;; Its stamp is not read: the next line's is a new one.
        (v128.store (i32.const ${MEMORY_MAP.stamp}) (i8x16.splat (i32.const 0)))
        (i32.store offset=${4 * RECORD.flags} (local.get $record) (i32.const 0))
        (local.set $break (call $find (local.get $at) (i32.const 10) (i32.const 10)))))
      (local.set $at (i32.add (local.get $break) (i32.const 1)))
      (i32.store (local.get $record) (local.get $at))
      (local.set $record (i32.add (local.get $record) (i32.const ${RECORD_BYTES})))
      (br_if $lines (i32.and
        (i32.lt_u (local.get $at) (local.get $end))
        (i32.lt_u (local.get $record) (local.get $recordsEnd)))))
    (local.get $record)))
`;
