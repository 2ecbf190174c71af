// The entry of the worker: `workerd test` calls `test`.
import { checkTasks } from './tasks.mjs';

export default {
  async test(_controller, { MOCK_URL }) {
    await checkTasks(MOCK_URL);
  },
};
