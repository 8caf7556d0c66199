import type { MachineFacts, NoiseReading } from '../host/machine-facts.ts';
import type { EngineSelfTest, MachineCheck, MachineCheckDocument } from '../model/machine-check.ts';

/** The share of its cores up to which a generator's figures are used (the gate of a step's validity). */
const GENERATOR_LIMIT = 0.8;
/** Descriptors for files, counters and the service's own pipes. */
const OTHER_DESCRIPTORS = 64;

const percent = (ratio: number): string => `${(100 * ratio).toPrecision(2)} %`;
const milliseconds = (seconds: number): string => `${(1000 * seconds).toPrecision(3)} ms`;

/** What facts, noise and self-test mean for loads made on this machine; the grade is that of the worst check. */
export function checkMachine(
  facts: MachineFacts,
  noise: NoiseReading,
  selfTest: EngineSelfTest,
): MachineCheckDocument {
  const connectionLimit = connectionsLeft(facts);
  const checks = [
    nodeCheck(facts),
    coreCheck(facts),
    memoryCheck(facts),
    governorCheck(facts),
    clockCheck(facts),
    descriptorCheck(facts),
    portCheck(facts),
    noiseCheck(noise),
    engineCheck(selfTest),
  ].filter((check) => check !== undefined);
  const results = checks.map((check) => check.result);
  return {
    kind: 'machine-check',
    schemaVersion: 1,
    checks,
    selfTest,
    honestRatePerSecond: Math.floor(
      (GENERATOR_LIMIT * Math.min(1, facts.usableCores)) / selfTest.cpuSecondsPerRequest,
    ),
    connectionLimit,
    grade: results.includes('poor') ? 'poor' : results.includes('weak') ? 'weak' : 'good',
  };
}

function connectionsLeft({ descriptorLimit = Infinity, portRange }: MachineFacts): number {
  const ports = portRange === undefined ? 28_232 : portRange[1] - portRange[0] + 1;
  return Math.max(0, Math.min(descriptorLimit - OTHER_DESCRIPTORS, ports));
}

function nodeCheck({ nodeVersion }: MachineFacts): MachineCheck {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  const isSupported = (major === 20 && minor >= 19) || major > 22 || (major === 22 && minor >= 12);
  return isSupported
    ? { id: 'node', result: 'good', seen: `Node ${nodeVersion}` }
    : {
        id: 'node',
        result: 'poor',
        seen: `Node ${nodeVersion} is not tested`,
        advice: 'use Node 20.19, 22.12 or newer',
      };
}

function coreCheck({ usableCores, machineCoreCount, usableCoresSource }: MachineFacts): MachineCheck {
  const seen = usableCoresSource ?? `${usableCores} of ${machineCoreCount} cores`;
  if (usableCores >= 2) return { id: 'cores', result: 'good', seen };
  return {
    id: 'cores',
    result: usableCores >= 1 ? 'weak' : 'poor',
    seen,
    advice: 'a service on this machine competes with the generator for the core: put one of them elsewhere',
  };
}

function memoryCheck({ memoryLimitBytes, freeMemoryBytes }: MachineFacts): MachineCheck {
  const bytes = Math.min(memoryLimitBytes ?? Infinity, freeMemoryBytes);
  const where = memoryLimitBytes === undefined ? 'free' : 'free or within the limit of the container';
  const seen = `${Math.round(bytes / 2 ** 20)} MB ${where}`;
  if (bytes >= 512 * 2 ** 20) return { id: 'memory', result: 'good', seen };
  return {
    id: 'memory',
    result: 'weak',
    seen,
    advice: 'the generator takes 80–200 MB; make room for the service',
  };
}

function governorCheck({ governor }: MachineFacts): MachineCheck | undefined {
  if (governor === undefined) return undefined;
  if (governor === 'performance') return { id: 'governor', result: 'good', seen: governor };
  return {
    id: 'governor',
    result: 'weak',
    seen: `${governor}: the clock rate changes with the load, and with it every demand`,
    advice: 'keep it at its highest while you measure',
    line: 'sudo cpupower frequency-set -g performance',
  };
}

const FAST_CLOCKS = ['tsc', 'kvm-clock', 'arch_sys_counter', 'hyperv_clocksource_tsc_page'];

function clockCheck({ clockSource }: MachineFacts): MachineCheck | undefined {
  if (clockSource === undefined) return undefined;
  if (FAST_CLOCKS.includes(clockSource)) return { id: 'clock-source', result: 'good', seen: clockSource };
  return {
    id: 'clock-source',
    result: 'weak',
    seen: `${clockSource}: reading the time takes a system call, 20 times as long`,
    advice: 'choose tsc where the processor keeps it steady',
    line: 'echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource',
  };
}

function descriptorCheck({ descriptorLimit }: MachineFacts): MachineCheck | undefined {
  if (descriptorLimit === undefined) return undefined;
  const seen = `${descriptorLimit} files and connections at once`;
  if (descriptorLimit >= 10_000) return { id: 'descriptors', result: 'good', seen };
  return {
    id: 'descriptors',
    result: descriptorLimit >= 1024 ? 'weak' : 'poor',
    seen,
    advice: 'every user needs a connection of its own',
    line: 'ulimit -n 65536',
  };
}

function portCheck({ portRange }: MachineFacts): MachineCheck | undefined {
  if (portRange === undefined) return undefined;
  const count = portRange[1] - portRange[0] + 1;
  const seen = `${count} ports for connections to one address (${portRange.join('–')})`;
  if (count >= 20_000) return { id: 'ports', result: 'good', seen };
  return {
    id: 'ports',
    result: count >= 2000 ? 'weak' : 'poor',
    seen,
    advice: 'a fresh connection for each request uses a port for a minute',
    line: 'sudo sysctl -w net.ipv4.ip_local_port_range="15000 65000"',
  };
}

function noiseCheck({ lostRatio, longestPauseSeconds }: NoiseReading): MachineCheck {
  const seen = `a busy thread lost ${percent(lostRatio)} of its time, ${milliseconds(longestPauseSeconds)} at once at most`;
  if (lostRatio < 0.02 && longestPauseSeconds < 0.005) return { id: 'noise', result: 'good', seen };
  return {
    id: 'noise',
    result: lostRatio < 0.1 ? 'weak' : 'poor',
    seen,
    advice:
      'something else uses the cores, here or beside this virtual machine: stop it, or repeat runs and compare',
  };
}

/** Half of the rate a quiet machine of today reaches, and a floor under the tails of fast services. */
function engineCheck(selfTest: EngineSelfTest): MachineCheck {
  const { cpuSecondsPerRequest, noiseFloorP50Seconds, noiseFloorP99Seconds, errorCount } = selfTest;
  const seen =
    `${(1e6 * cpuSecondsPerRequest).toPrecision(2)} µs of CPU a request; an echo answers in ` +
    `${milliseconds(noiseFloorP50Seconds)} (p50) and ${milliseconds(noiseFloorP99Seconds)} (p99)`;
  if (errorCount > 0)
    return { id: 'engine', result: 'poor', seen: `${errorCount} requests to an echo on loopback failed` };
  const isGood = cpuSecondsPerRequest < 20e-6 && noiseFloorP99Seconds < 0.005;
  if (isGood) return { id: 'engine', result: 'good', seen };
  return {
    id: 'engine',
    result: noiseFloorP99Seconds < 0.05 ? 'weak' : 'poor',
    seen,
    advice: 'tails below the echo’s own p99 are this machine’s, not the service’s',
  };
}
