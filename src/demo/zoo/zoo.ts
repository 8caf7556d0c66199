import type { ZooMember } from './member.ts';
import { acceptBacklog } from './members/accept-backlog.ts';
import { coldCache } from './members/cold-cache.ts';
import { connectionLimit } from './members/connection-limit.ts';
import { cpuQuota } from './members/cpu-quota.ts';
import { cpu } from './members/cpu.ts';
import { descriptorLeak } from './members/descriptor-leak.ts';
import { downstream } from './members/downstream.ts';
import { eventLoopBlock } from './members/event-loop-block.ts';
import { fastFailures } from './members/fast-failures.ts';
import { fsyncPerWrite } from './members/fsync.ts';
import { memoryLeak } from './members/memory-leak.ts';
import { pauses } from './members/pauses.ts';
import { pool } from './members/pool.ts';
import { rateLimit } from './members/rate-limit.ts';
import { retrograde } from './members/retrograde.ts';
import { serialLock } from './members/serial-lock.ts';
import { slowRecovery } from './members/slow-recovery.ts';

/** Every member. A new one is one file in `members/` and one line here. */
export const ZOO: readonly ZooMember[] = [
  eventLoopBlock,
  pauses,
  cpu,
  cpuQuota,
  pool,
  serialLock,
  fsyncPerWrite,
  downstream,
  retrograde,
  rateLimit,
  fastFailures,
  connectionLimit,
  acceptBacklog,
  memoryLeak,
  descriptorLeak,
  coldCache,
  slowRecovery,
];
