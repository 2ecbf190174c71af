import { setTimeout as delay } from 'node:timers/promises';
import type { Ceph, Osd } from './services/ceph.ts';

/** A fault of a storage on several machines. */
export interface StorageFault {
  readonly name: string;
  /** Injects the fault and ends it. */
  inject(ceph: Ceph): Promise<void>;
}

/** How long a fault lasts. */
const holdMs = 2_000;

export const storageFaults: readonly StorageFault[] = [
  {
    name: 'gateway killed',
    async inject(ceph) {
      await ceph.kill();
      await delay(holdMs);
      await ceph.start();
    },
  },
  {
    name: 'gateway frozen',
    async inject(ceph) {
      ceph.pause();
      await delay(holdMs);
      ceph.resume();
    },
  },
  {
    name: 'OSD killed until the monitor noticed',
    async inject({ osds }) {
      const osd = osdOf(osds, 0);
      await osd.kill();
      await osd.becomes('down');
      await delay(holdMs);
      osd.start();
      await osd.becomes('up');
    },
  },
  {
    name: 'OSD frozen until the monitor noticed',
    async inject({ osds }) {
      const osd = osdOf(osds, 1);
      osd.pause();
      await osd.becomes('down');
      osd.resume();
      await osd.becomes('up');
    },
  },
  {
    name: 'monitor killed',
    async inject({ monitor }) {
      await monitor.kill();
      await delay(holdMs);
      monitor.start();
    },
  },
  {
    name: 'OSD and gateway killed together',
    async inject(ceph) {
      const osd = osdOf(ceph.osds, 2);
      await Promise.all([osd.kill(), ceph.kill()]);
      await osd.becomes('down');
      osd.start();
      await ceph.start();
      await osd.becomes('up');
    },
  },
];

function osdOf(osds: readonly Osd[], index: number): Osd {
  const osd = osds[index];
  if (!osd) throw new Error(`Ceph has no OSD ${index}.`);
  return osd;
}
