import type { World } from '../../../../../../packages/conformance/src/world.ts';
import type { Fault } from '../faulty-proxy.ts';

/** A service with one thing wrong, and what must be said of it. */
export interface PlantedBug {
  /** What the service does wrong. */
  readonly bug: string;
  /** The check that finds it. */
  readonly check: string;
  /** The rule that it names. */
  readonly rule: string;
  readonly fault: (world: World) => Fault;
}
