import { systemClock } from '../../../adapters/system-clock.ts';
import { followAlone } from '../../follow/testing/follow-alone.ts';
import { notifyMembers } from '../consumer.ts';

/** A process that does nothing but notify members, until it is killed. */
followAlone(notifyMembers({ clock: systemClock }));
