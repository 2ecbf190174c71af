import { copying } from './copying.ts';
import { followAlone } from './follow-alone.ts';

/** A process that does nothing but copy activities, until it is killed. */
followAlone(copying);
