import type { ZooMember } from './member.ts';
import { cpu } from './members/cpu.ts';
import { eventLoopBlock } from './members/event-loop-block.ts';
import { pool } from './members/pool.ts';
import { serialLock } from './members/serial-lock.ts';

/** Every member. A new one is one file in `members/` and one line here. */
export const ZOO: readonly ZooMember[] = [eventLoopBlock, pool, cpu, serialLock];
