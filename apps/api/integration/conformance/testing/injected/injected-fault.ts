import type { Fixtures } from '../../../../../../packages/conformance/src/fixtures.ts';
import type { Fault } from '../faulty-proxy.ts';

/** One fault of a service, and the check and rule that detect it. */
export interface InjectedFault {
  /** What the service does wrong. */
  readonly bug: string;
  /** The check that detects it. */
  readonly check: string;
  /** The rule that the check reports. */
  readonly rule: string;
  readonly fault: (fixtures: Fixtures) => Fault;
}
