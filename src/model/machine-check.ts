/** What one part of a machine means for a load made on it. */
export interface MachineCheck {
  /** `cores`, `clock-source`, `descriptors` … */
  readonly id: string;
  readonly result: 'good' | 'weak' | 'poor';
  /** What was seen, with its figures. */
  readonly seen: string;
  /** What to do, where something can be done. */
  readonly advice?: string;
  /** A line for a shell that does it. */
  readonly line?: string;
}

/** The engine against an echo server on this machine's loopback. */
export interface EngineSelfTest {
  /** CPU of the generator per request, closed loop without think time. */
  readonly cpuSecondsPerRequest: number;
  readonly throughputPerSecond: number;
  /** Response times of the echo server at a low constant rate: what the generator and the machine add to any figure. */
  readonly noiseFloorP50Seconds: number;
  readonly noiseFloorP99Seconds: number;
  readonly errorCount: number;
}

/** What `shipload doctor` prints with `--json`. */
export interface MachineCheckDocument {
  readonly kind: 'machine-check';
  readonly schemaVersion: 1;
  readonly checks: readonly MachineCheck[];
  readonly selfTest: EngineSelfTest;
  /** Requests a second up to which a generator on this machine stays under 80 % of its core. */
  readonly honestRatePerSecond: number;
  /** Connections that descriptors and ports leave room for. */
  readonly connectionLimit: number;
  readonly grade: MachineCheck['result'];
}
