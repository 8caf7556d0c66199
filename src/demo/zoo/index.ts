import { ShiploadError } from '../../errors.ts';
import { serviceCommand } from '../service-command.ts';
import type { Variant, ZooMember } from './member.ts';
import { ZOO } from './zoo.ts';

export { VARIANTS, type Probe, type Variant, type ZooMember } from './member.ts';
export { probePlan } from './plan.ts';
export { ZOO } from './zoo.ts';

/** The member of that name. Throws `usage` with the names there are. */
export function findMember(name: string): ZooMember {
  const member = ZOO.find((one) => one.name === name);
  if (member !== undefined) return member;
  throw new ShiploadError('usage', `there is no member "${name}" in the zoo`, {
    hint: `Members: ${ZOO.map((one) => one.name).join(', ')}`,
  });
}

/** The command line, for a POSIX shell, that runs a member; the seed names its routes. */
export function zooCommand(member: ZooMember, variant: Variant, port: number, seed: number): string {
  const words = ['--member', member.name, '--variant', variant, '--port', `${port}`, '--seed', `${seed}`];
  return serviceCommand(new URL('./service.js', import.meta.url), words);
}
