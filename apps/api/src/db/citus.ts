import { sql } from 'drizzle-orm';

/** Whether the server has Citus, and rows of organizations may be on others. */
export const hasCitus = sql<boolean>`current_setting('citus.multi_shard_modify_mode', true) is not null`;
