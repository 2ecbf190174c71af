import type { Deps } from '../../deps.ts';
import { OperatorError } from '../operator-error.ts';
import { countJobs, findJob, listJobs, rescheduleJob, type JobState } from './queries.ts';

/** Maximum number of listed jobs. */
const maxListedJobs = 1_000;

/** Runs the operator's commands on jobs of the queue. */
export function jobOperations({ db }: Pick<Deps, 'db'>) {
  return {
    /** Lists jobs in these states, oldest first; finished ones are not kept. */
    async list(states: readonly JobState[]) {
      const [rows, total] = await Promise.all([
        listJobs(db, { states, limit: maxListedJobs }),
        countJobs(db, states),
      ]);
      return { rows, total };
    },

    /**
     * Makes a job run now, with all its attempts.
     *
     * @throws OperatorError when there is no such job, or it is running
     */
    async retry(id: string): Promise<string> {
      if (await rescheduleJob(db, id)) return `Job ${id} runs again now.`;
      const job = await findJob(db, id);
      throw new OperatorError(
        job ? `Job ${id} is running just now.` : `There is no job ${id}; it may be done.`,
      );
    },
  };
}
