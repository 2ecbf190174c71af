// The entry of bundles for Node.
import { checkTasks } from './tasks.mjs';

await checkTasks(process.argv[2]);
