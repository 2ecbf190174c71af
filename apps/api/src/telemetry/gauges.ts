import type { BulkheadLoad, LogFigure, PoolLoad, QueueFigure } from '../ports/telemetry.ts';
import type { Instruments } from './instruments.ts';

/** Metrics that the runtime instrumentation lacks. */
export function watchProcess({ meter }: Pick<Instruments, 'meter'>): void {
  meter
    .createObservableCounter('process.cpu.time', {
      unit: 's',
      description: 'Processor time of this process',
    })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe(user / 1e6, { 'cpu.mode': 'user' });
      result.observe(system / 1e6, { 'cpu.mode': 'system' });
    });
  meter
    .createObservableGauge('process.memory.usage', {
      unit: 'By',
      description: 'Resident memory of this process',
    })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  meter
    .createObservableGauge('process.uptime', {
      unit: 's',
      description: 'Time since this process started',
    })
    .addCallback((result) => result.observe(process.uptime()));
}

export function watchPool({ meter }: Pick<Instruments, 'meter'>, read: () => PoolLoad): void {
  meter
    .createObservableGauge('db.client.connection.max', {
      unit: '{connection}',
      description: 'Maximum size of the pool',
    })
    .addCallback((result) => result.observe(read().maxConnections));
  meter
    .createObservableGauge('atelier.db.under_way', {
      unit: '{statement}',
      description:
        'Statements without a response and transactions without a connection yet; those above the maximum pool size wait',
    })
    .addCallback((result) => result.observe(read().underWay));
}

export function watchBulkhead(
  { meter }: Pick<Instruments, 'meter'>,
  read: () => BulkheadLoad,
): void {
  meter
    .createObservableGauge('atelier.bulkhead.waiting', {
      unit: '{change}',
      description: 'Changes that wait because their organization has its share of the pool',
    })
    .addCallback((result) => result.observe(read().waiting));
  meter
    .createObservableCounter('atelier.bulkhead.refusals', {
      unit: '{change}',
      description: 'Changes refused because too many of their organization waited, or for too long',
    })
    .addCallback((result) => result.observe(read().refused));
}

/** Every process reports the same queue: take the maximum, not the sum. */
export function watchQueue(
  { meter }: Pick<Instruments, 'meter'>,
  read: () => Promise<readonly QueueFigure[]>,
): void {
  const jobs = meter.createObservableGauge('atelier.job.queue.jobs', {
    unit: '{job}',
    description: 'Jobs that are not done, by name and state',
  });
  const oldest = meter.createObservableGauge('atelier.job.queue.oldest', {
    unit: 's',
    description: 'For how long the oldest job that is due has been waiting',
  });
  meter.addBatchObservableCallback(
    async (result) => {
      const figures = await read();
      let oldestSeconds = 0;
      for (const figure of figures) {
        const named = { 'atelier.job': figure.job, 'atelier.job.state': figure.state };
        result.observe(jobs, figure.jobs, named);
        if (figure.state === 'due') oldestSeconds = Math.max(oldestSeconds, figure.oldestSeconds);
      }
      result.observe(oldest, oldestSeconds);
    },
    [jobs, oldest],
  );
}

/** Every process reports the same positions: take the maximum, not the sum. */
export function watchLog(
  { meter }: Pick<Instruments, 'meter'>,
  read: () => Promise<readonly LogFigure[]>,
): void {
  meter
    .createObservableGauge('atelier.log.lag', {
      unit: 's',
      description: 'Age of the oldest activity that a consumer has not taken',
    })
    .addCallback(async (result) => {
      for (const { consumer, oldestSeconds } of await read()) {
        result.observe(oldestSeconds, { 'atelier.log.consumer': consumer });
      }
    });
}
