/** Uses the CPU for so long, whatever else runs on the machine: nothing else is answered meanwhile. */
export function burnCpu(seconds: number): void {
  const start = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1e6 >= seconds) return;
  }
}

/** Calls back after so long, using no CPU: other requests go on. */
export function later(seconds: number, then: () => void): void {
  setTimeout(then, seconds * 1e3);
}
