import { followAlone } from '../../follow/testing/follow-alone.ts';
import { keepSearchIndex } from '../consumer.ts';

/** A process that does nothing but keep the index of search, until it is killed. */
followAlone(keepSearchIndex());
