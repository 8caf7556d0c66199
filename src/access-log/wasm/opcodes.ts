/** Instructions by their names in the text format, with their bytes (WebAssembly Core Specification 2.0, §5.4 and §7.10). */
export const OPCODES: Readonly<Record<string, readonly number[]>> = {
  return: [0x0f],
  'i32.eqz': [0x45],
  'i32.eq': [0x46],
  'i32.ne': [0x47],
  'i32.lt_u': [0x49],
  'i32.gt_u': [0x4b],
  'i32.le_u': [0x4d],
  'i32.ge_u': [0x4f],
  'i32.ctz': [0x68],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.mul': [0x6c],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i32.shl': [0x74],
  'i8x16.splat': [0xfd, 0x0f],
  'i8x16.eq': [0xfd, 0x23],
  'i8x16.le_u': [0xfd, 0x2a],
  'v128.and': [0xfd, 0x4e],
  'v128.or': [0xfd, 0x50],
  'i8x16.all_true': [0xfd, 0x63],
  'i8x16.bitmask': [0xfd, 0x64],
  'i8x16.sub': [0xfd, 0x71],
};

/** Instructions that name a number: a local, a function, a constant. */
export const INDEXED: Readonly<Record<string, number>> = {
  'local.get': 0x20,
  'local.set': 0x21,
  'local.tee': 0x22,
};

/** Loads and stores, which carry an alignment (none is promised here) and an offset. */
export const MEMORY: Readonly<Record<string, readonly number[]>> = {
  'i32.load': [0x28],
  'i32.load8_u': [0x2d],
  'i32.store': [0x36],
  'v128.load': [0xfd, 0x00],
  'v128.store': [0xfd, 0x0b],
};

export const VALUE_TYPES: Readonly<Record<string, number>> = { i32: 0x7f, v128: 0x7b };
