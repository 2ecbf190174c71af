// The entry of bundles for browsers.
import { checkTasks } from './tasks.mjs';

await checkTasks(location.origin);
