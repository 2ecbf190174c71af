import type { TopicKey } from '../session/queries.ts';

/** What a change of a share changes. */
export const shareTopics: readonly TopicKey[] = [['shares'], ['timeline']];
