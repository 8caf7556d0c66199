import { namedCauses } from '../../analysis/rules/index.ts';
import { zooRun } from '../../demo/zoo/diagnose.ts';
import { findMember, ZOO, type Variant, type ZooMember } from '../../demo/zoo/index.ts';
import type { Finding } from '../../model/analysis.ts';
import { toReportDocument } from '../../report/json.ts';
import { bullets, renderText } from '../../report/text.ts';
import type { CommandContext } from '../command.ts';
import type { OptionValues } from '../options/index.ts';
import { runToEnd } from '../run-to-end.ts';

/** Lists the zoo, or runs one member of it and shows what the diagnosis makes of it. */
export async function demoZoo(
  folder: string,
  options: OptionValues,
  context: CommandContext,
  name?: string,
): Promise<number> {
  if (name === undefined) return list(options, context);
  const member = findMember(name);
  const variant = options.variant ?? 'on';
  const obstacle = member.obstacle?.();
  if (obstacle !== undefined && variant === 'on') {
    context.terminal.say(`${member.name} cannot be shown on this machine: ${obstacle}.`);
    return 0;
  }
  return show(member, variant, folder, options, context);
}

function list(options: OptionValues, { terminal }: CommandContext): number {
  if (options.json === true) {
    const members = ZOO.map(({ name, fault, twin, expected }) => ({ name, fault, twin, expected }));
    terminal.print(`${JSON.stringify(members)}\n`);
    return 0;
  }
  const width = Math.max(...ZOO.map(({ name }) => name.length));
  const lines = ZOO.map(({ name, fault }) => `${name.padEnd(width)}  ${fault}`);
  terminal.print(`${lines.join('\n')}\n`);
  terminal.say('shipload demo zoo NAME runs one; --variant off takes the fault out, twin is its near miss.');
  return 0;
}

async function show(
  member: ZooMember,
  variant: Variant,
  folder: string,
  options: OptionValues,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  const what = { on: member.fault, off: 'the same service without its fault', twin: member.twin }[variant];
  terminal.say(`${member.name} (${variant}): ${what}.`);
  const { service, request } = await zooRun(member, variant, options.seed ?? 7);
  const { record, exitCode } = await runToEnd(request, folder, service, context);
  if (options.json === true) {
    terminal.print(`${JSON.stringify(toReportDocument(record))}\n`);
    return exitCode;
  }
  terminal.print(renderText(record, terminal));
  terminal.say('What the diagnosis says');
  const named = namedCauses(record.analysis.findings);
  for (const line of bullets(conclusion(named, expectedOf(member, variant)), terminal.width)) {
    terminal.say(line);
  }
  return exitCode;
}

const expectedOf = ({ expected }: ZooMember, variant: Variant): string | undefined =>
  variant === 'off' ? undefined : expected[variant];

function conclusion(named: readonly Finding[], expected: string | undefined): readonly string[] {
  const [leading] = named;
  const truth = expected === undefined ? 'nothing is to be named' : `the truth is ${expected}`;
  if (leading === undefined) return [`No cause is named; ${truth}.`];
  return [
    `${leading.ruleId} (${leading.confidence}); ${truth}: ${leading.claim}.`,
    ...(leading.nextExperiment === undefined ? [] : [`To be sure: ${leading.nextExperiment}.`]),
  ];
}
