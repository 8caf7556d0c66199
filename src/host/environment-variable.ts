import { ScenarioFault } from '../errors.ts';

/**
 * The value of an environment variable, for scenarios. Throws `scenario-invalid` where it is not set and there is no
 * other value: said before a run, not in the middle of it.
 */
export function env(name: string, otherwise?: string): string {
  const value = process.env[name] ?? otherwise;
  if (value !== undefined) return value;
  throw new ScenarioFault(`the environment variable ${name} is not set`, {
    hint: `${name}=… shipload run …`,
  });
}
